// Returns: nothing. Marks the actors and artifacts whose trees a change of a channel touches.
// Index: actor_key_unique, artifact_key_unique.
CALL () {
  UNWIND $actors AS key
  MATCH (a:Actor {key: key})
  SET a.build_pending = a.workspace
}
UNWIND $artifacts AS key
MATCH (x:Artifact {key: key})
SET x.build_pending = x.workspace
