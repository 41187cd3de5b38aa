// Returns: nothing. If the workspace's trees were built otherwise (another k, another summariser),
//   marks all its subjects, in the transaction that notes how they are built from now on.
// Index: workspace_key_unique; channel_key_unique, actor_key_unique, artifact_key_unique by the
//   prefix that the keys of a workspace share.
MATCH (w:Workspace {key: $workspace})
WHERE coalesce(w.built_with, '') <> $identity
SET w.built_with = $identity
WITH w
CALL () {
  MATCH (c:Channel) WHERE c.key STARTS WITH $prefix
  SET c.build_pending = $workspace
  RETURN count(*) AS channels
}
CALL () {
  MATCH (a:Actor) WHERE a.key STARTS WITH $prefix
  SET a.build_pending = $workspace
  RETURN count(*) AS actors
}
MATCH (x:Artifact) WHERE x.key STARTS WITH $prefix
SET x.build_pending = $workspace
