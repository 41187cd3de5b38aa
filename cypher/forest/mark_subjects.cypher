// Returns: nothing. Marks the actors and artifacts whose trees a change of a channel touches.
// Index: actor_key_unique, artifact_key_unique.
// What is marked already is not written again: batches that run at the same time touch the same
//   people, and would wait for each other's locks.
CALL () {
  UNWIND $actors AS key
  MATCH (a:Actor {key: key})
  WHERE a.build_pending IS NULL
  SET a.build_pending = a.workspace
}
UNWIND $artifacts AS key
MATCH (x:Artifact {key: key})
WHERE x.build_pending IS NULL
SET x.build_pending = x.workspace
