// Returns: nothing. Links live messages to the live entry of the message they reply to.
// Index: message_key_unique, twice: the parent as first posted, or a revision of it.
UNWIND $rows AS row
MATCH (m:Message {key: row.key})
CALL (row) {
  MATCH (p:Message {key: row.parent})
  WHERE p.live
  RETURN p
  UNION ALL
  MATCH (p:Message)
  WHERE p.key STARTS WITH row.parent + '~' AND p.live
  RETURN p
}
MERGE (m)-[:REPLIES_TO]->(p)
