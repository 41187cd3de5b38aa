// Returns: nothing. Takes the marks off artifacts, and those away that no message names any more.
// Index: artifact_key_unique.
UNWIND $keys AS key
MATCH (x:Artifact {key: key})
SET x.building = null
WITH x
WHERE NOT EXISTS { (x)<-[:MENTIONS]-() } AND x.build_pending IS NULL
DETACH DELETE x
