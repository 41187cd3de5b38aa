// Returns: one row: how many entries were created.
// Index: channel_key_unique. CREATE, not MERGE: the channel's lock is held and the entries are
//   known to be new; message_key_unique stands behind it.
UNWIND $groups AS group
MATCH (c:Channel {key: group.channel})
SET c.build_pending = c.workspace
WITH c, group
UNWIND group.rows AS row
CREATE (m:Message)
SET m = row
CREATE (m)-[:IN]->(c)
RETURN count(*) AS created
