// Returns: nothing. Marks everything in the workspace for being built anew.
// Index: channel_key_unique, actor_key_unique, artifact_key_unique, by the prefix that the keys of
//   a workspace share.
// Without `built_name` a channel's messages all count as touched, see Growth.
CALL () {
  MATCH (c:Channel)
  USING INDEX c:Channel(key)
  WHERE c.key STARTS WITH $prefix
  SET c.build_pending = $workspace, c.built_name = null
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
