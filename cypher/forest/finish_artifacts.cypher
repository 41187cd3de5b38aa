// Returns: nothing. Takes the marks off artifacts, and those away that no message names any more.
// Index: artifact_key_unique.
UNWIND $built_artifacts AS row
MATCH (x:Artifact {key: row.key})
SET x.building = null
WITH x
WHERE NOT EXISTS { (x)<-[:MENTIONS]-() } AND x.build_pending IS NULL
DETACH DELETE x
