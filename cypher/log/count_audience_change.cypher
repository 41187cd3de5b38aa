// Returns: nothing. Says that a channel's audience is about to change in this transaction: what a
//   builder has read before that it must not write any more (`forest/fence`).
// Index: workspace_key_unique. It takes the lock of the workspace before those of the channels, in
//   the order in which builders do.
MATCH (w:Workspace {key: $workspace})
SET w.audience_changes = coalesce(w.audience_changes, 0) + 1
