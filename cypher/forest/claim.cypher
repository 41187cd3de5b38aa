// Returns: one row: `actors`, a list of [key, messages by or to the actor], and `artifacts`, a
//   list of [key, a guess at its messages], to build.
// Index: actor_build_pending, actor_building, artifact_build_pending, artifact_building. Counts
//   come from the degree of the nodes.
// Marks are moved, not read: what is marked from now on is not lost.
CALL () {
  MATCH (a:Actor {build_pending: $workspace})
  USING INDEX a:Actor(build_pending)
  SET a.building = $workspace, a.build_pending = null
}
CALL () {
  MATCH (x:Artifact {build_pending: $workspace})
  USING INDEX x:Artifact(build_pending)
  SET x.building = $workspace, x.build_pending = null
}
CALL () {
  MATCH (a:Actor {building: $workspace})
  USING INDEX a:Actor(building)
  RETURN collect([a.key, 2 * COUNT { (a)<-[:BY]-() } + COUNT { (a)<-[:MENTIONS]-() }]) AS actors
}
CALL () {
  MATCH (x:Artifact {building: $workspace})
  USING INDEX x:Artifact(building)
  RETURN collect([x.key, 4 * COUNT { (x)<-[:MENTIONS]-() }]) AS artifacts
}
RETURN actors, artifacts
