// Returns: nothing. Writes what messages name no longer, with the bridges, and what they name now.
// Index: artifact_key_unique, message_key_unique.
CALL () {
  UNWIND $unnamed AS row
  MATCH (x:Artifact {key: row.key})
  SET x.build_pending = $workspace
  WITH x, row
  UNWIND row.messages AS key
  MATCH (m:Message {key: key})-[r:MENTIONS]->(x)
  DELETE r
  WITH m, row
  MATCH (m)-[s:SAME_IDENTIFIER {identifier: row.kind + ':' + row.identifier}]-()
  DELETE s
}
CALL () {
  UNWIND $named AS row
  MERGE (x:Artifact {key: row.key})
  ON CREATE SET x.workspace = $workspace, x.kind = row.kind, x.identifier = row.identifier
  SET x.build_pending = $workspace
  WITH x, row
  UNWIND row.messages AS key
  MATCH (m:Message {key: key})
  WHERE m.live
  MERGE (m)-[:MENTIONS]->(x)
}
