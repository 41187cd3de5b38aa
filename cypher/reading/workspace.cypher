// Returns: one row: when the workspace was made, and how much of it is visible: `messages` in
//   `channels` from `since` to `until`, `actors` and `artifacts`.
// Index: workspace_key_unique, channel_key_unique, and tree_key_unique: the keys of all trees of
//   one view begin alike, and a tree knows its span and size.
MATCH (w:Workspace {key: $workspace})
CALL () {
  MATCH (t:Tree)
  WHERE t.key STARTS WITH $channel_trees AND t.workspace = $workspace AND t.audience IN $audiences
  RETURN min(t.span_from) AS since, max(t.span_to) AS until, sum(t.size) AS messages
}
RETURN w.created_at AS created_at, since, until, messages,
       COUNT {
         MATCH (c:Channel)
         WHERE c.key STARTS WITH $channels AND c.workspace = $workspace AND c.audience IN $audiences
       } AS channels,
       COUNT {
         MATCH (t:Tree)
         WHERE t.key STARTS WITH $actor_trees AND t.workspace = $workspace
           AND t.audience IN $audiences
         RETURN DISTINCT t.subject AS subject
         UNION
         MATCH (a:Actor {key: $asker})
         WHERE a.workspace = $workspace
         RETURN a.key AS subject
       } AS actors,
       COUNT {
         MATCH (t:Tree)
         WHERE t.key STARTS WITH $artifact_trees AND t.workspace = $workspace
           AND t.audience IN $audiences
         RETURN DISTINCT t.subject AS subject
       } AS artifacts
