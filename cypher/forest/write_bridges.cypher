// Returns: nothing. Deletes and creates SAME_IDENTIFIER bridges, given as [identifier, later, earlier].
// Index: message_key_unique.
CALL () {
  UNWIND $gone_bridges AS row
  MATCH (m:Message {key: row[1]})-[r:SAME_IDENTIFIER {identifier: row[0]}]->(p:Message {key: row[2]})
  DELETE r
}
CALL () {
  UNWIND $new_bridges AS row
  MATCH (m:Message {key: row[1]})
  MATCH (p:Message {key: row[2]})
  WHERE m.live AND p.live
  MERGE (m)-[:SAME_IDENTIFIER {identifier: row[0]}]->(p)
}
