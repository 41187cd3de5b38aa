// Returns: nothing. Relates new trees to the artifacts they are about.
// Index: tree_key_unique, artifact_key_unique.
UNWIND $about_artifacts AS row
MATCH (t:Tree {key: row.key})
MATCH (s:Artifact {key: row.subject})
MERGE (t)-[:ABOUT]->(s)
