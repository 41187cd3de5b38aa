// Returns: nothing. Creates trees or changes their properties; ABOUT their subject.
// Index: tree_key_unique; channel_key_unique, actor_key_unique, artifact_key_unique.
UNWIND $rows AS row
MERGE (t:Tree {key: row.key})
SET t += row.properties
WITH t, row
CALL (t, row) {
  MATCH (s:Channel {key: row.subject}) MERGE (t)-[:ABOUT]->(s)
  UNION
  MATCH (s:Actor {key: row.subject}) MERGE (t)-[:ABOUT]->(s)
  UNION
  MATCH (s:Artifact {key: row.subject}) MERGE (t)-[:ABOUT]->(s)
}
