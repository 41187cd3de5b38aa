// Returns: nothing. Makes the SAME_IDENTIFIER relationships of an identifier exactly those given.
// Index: artifact_key_unique, message_key_unique.
UNWIND $rows AS row
CALL (row) {
  MATCH (x:Artifact {key: row.key})<-[:MENTIONS]-(m:Message)-[r:SAME_IDENTIFIER {identifier: row.identifier}]->(p)
  WHERE NOT [m.key, p.key] IN row.pairs
  DELETE r
}
UNWIND row.pairs AS pair
MATCH (m:Message {key: pair[0]})
MATCH (p:Message {key: pair[1]})
MERGE (m)-[:SAME_IDENTIFIER {identifier: row.identifier}]->(p)
