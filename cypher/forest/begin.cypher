// Returns: one row: `items`, a list of [key, messages logged] of the channels to build.
// Index: workspace_key_unique; actor_build_pending, channel_build_pending, channel_building; for a
//   rebuild channel_key_unique, actor_key_unique and artifact_key_unique, by the prefix that the
//   keys of a workspace share.
// If the workspace's trees were built otherwise (another k, another summariser), all its subjects
//   are marked, in the transaction that notes how they are built from now on. An actor who is
//   called otherwise since the last build appears by name in the trees of other subjects: every
//   channel they wrote in or were addressed in is built anew.
// Marks are moved, not read: what is logged from now on sets them again and is not lost.
CALL () {
  MATCH (a:Actor {build_pending: $workspace})
  USING INDEX a:Actor(build_pending)
  WHERE a.built_name <> a.name
  CALL (a) {
    MATCH (a)<-[:BY|MENTIONS]-(:Message)-[:IN]->(c:Channel)
    RETURN DISTINCT c
  }
  WITH DISTINCT c
  SET c.build_pending = $workspace, c.built_name = null
}
CALL () {
  MATCH (w:Workspace {key: $workspace})
  WHERE coalesce(w.built_with, '') <> $identity
  SET w.built_with = $identity
  WITH w
  CALL () {
    MATCH (c:Channel)
    USING INDEX c:Channel(key)
    WHERE c.key STARTS WITH $prefix
    SET c.build_pending = $workspace
  }
  CALL () {
    MATCH (a:Actor)
    USING INDEX a:Actor(key)
    WHERE a.key STARTS WITH $prefix
    SET a.build_pending = $workspace
  }
  CALL () {
    MATCH (x:Artifact)
    USING INDEX x:Artifact(key)
    WHERE x.key STARTS WITH $prefix
    SET x.build_pending = $workspace
  }
}
CALL () {
  MATCH (c:Channel {build_pending: $workspace})
  USING INDEX c:Channel(build_pending)
  SET c.building = $workspace, c.build_pending = null
}
MATCH (c:Channel {building: $workspace})
USING INDEX c:Channel(building)
RETURN collect([c.key, COUNT { (c)<-[:IN]-() }]) AS items
