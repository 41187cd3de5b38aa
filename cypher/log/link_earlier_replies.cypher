// Returns: nothing. Links the live replies that arrived before the message they reply to.
// Index: message_key_unique, message_channel_reply_to (which holds replies only).
//   Without the hint the planner scans that index while it is small, and keeps the plan.
UNWIND $rows AS row
MATCH (child:Message {channel: row.channel, reply_to: row.source_id})
USING INDEX SEEK child:Message(channel, reply_to)
WHERE child.live AND child.key <> row.key
MATCH (m:Message {key: row.key})
MERGE (child)-[:REPLIES_TO]->(m)
