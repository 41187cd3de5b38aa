// Returns: one row: `items`, a list of [key, messages by or to the actor] to build.
// Index: actor_build_pending, actor_building. Counts come from the degree of the nodes.
CALL () {
  MATCH (a:Actor {build_pending: $workspace})
  SET a.building = $workspace, a.build_pending = null
  RETURN count(*) AS moved
}
MATCH (a:Actor {building: $workspace})
RETURN collect([a.key, 2 * COUNT { (a)<-[:BY]-() } + COUNT { (a)<-[:MENTIONS]-() }]) AS items
