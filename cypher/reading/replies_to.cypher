// Returns: what each of the messages $keys replies to, as far as it is visible: one row: `rows`,
//   a list of [message asked for, row as messages_by_key].
// Index: message_key_unique, then REPLIES_TO.
UNWIND $keys AS key
MATCH (r:Message {key: key})
WHERE r.workspace = $workspace AND r.audience IN $audiences AND r.live
MATCH (r)-[:REPLIES_TO]->(m:Message)
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
RETURN collect([r.key, [m.key, m.channel, m.audience, m.author, m.author_name, m.channel_name,
                       m.source_id, m.source_ts, m.at, m.text, m.raw, m.thread, m.reply_to,
                       m.revision, m.identifiers, m.files, m.link]]) AS rows
