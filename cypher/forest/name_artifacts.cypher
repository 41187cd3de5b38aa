// Returns: nothing. Creates the artifacts that messages name, with the relationships, and marks
//   them.
// Index: artifact_key_unique, message_key_unique.
UNWIND $rows AS row
MERGE (x:Artifact {key: row.key})
ON CREATE SET x.workspace = $workspace, x.kind = row.kind, x.identifier = row.identifier
SET x.build_pending = $workspace
WITH x, row
UNWIND row.messages AS key
MATCH (m:Message {key: key})
MERGE (m)-[:MENTIONS]->(x)
