// Returns: nothing. Marks actors and artifacts whose trees a change touches. What is marked already is
//   not written again: batches that run at the same time touch the same people, and would wait
//   for each other's locks.
// Index: actor_key_unique, artifact_key_unique.
CALL () {
  UNWIND $touched_actors AS key
  MATCH (a:Actor {key: key})
  WHERE a.build_pending IS NULL
  SET a.build_pending = $workspace
}
CALL () {
  UNWIND $touched_artifacts AS key
  MATCH (x:Artifact {key: key})
  WHERE x.build_pending IS NULL
  SET x.build_pending = $workspace
}
