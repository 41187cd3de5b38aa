// Returns: nothing. Takes away what messages are no longer read to name, with the bridges, and
//   marks the artifacts.
// Index: artifact_key_unique, message_key_unique.
UNWIND $rows AS row
MATCH (x:Artifact {key: row.key})
SET x.build_pending = $workspace
WITH x, row
UNWIND row.messages AS key
MATCH (m:Message {key: key})-[r:MENTIONS]->(x)
DELETE r
WITH m, row
MATCH (m)-[s:SAME_IDENTIFIER {identifier: row.kind + ':' + row.identifier}]-()
DELETE s
