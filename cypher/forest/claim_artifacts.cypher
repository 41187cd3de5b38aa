// Returns: one row: `items`, a list of [key, a guess at its messages] to build.
// Index: artifact_build_pending, artifact_building.
CALL () {
  MATCH (x:Artifact {build_pending: $workspace})
  SET x.building = $workspace, x.build_pending = null
  RETURN count(*) AS moved
}
MATCH (x:Artifact {building: $workspace})
RETURN collect([x.key, 4 * COUNT { (x)<-[:MENTIONS]-() }]) AS items
