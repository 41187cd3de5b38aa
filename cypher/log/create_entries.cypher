// Returns: one row: how many entries were created. Fewer than rows given means that a channel or
//   an actor is missing, and the caller gives up the transaction.
// Index: channel_key_unique, actor_key_unique. CREATE, not MERGE: the channel's lock is held and
//   the entries are known to be new; message_key_unique stands behind it.
UNWIND $groups AS group
MATCH (c:Channel {key: group.channel})
SET c.build_pending = c.workspace
WITH c, group
UNWIND group.rows AS row
MATCH (a:Actor {key: row.author})
CREATE (m:Message)
SET m = row
CREATE (m)-[:IN]->(c)
CREATE (m)-[:BY]->(a)
RETURN count(*) AS created
