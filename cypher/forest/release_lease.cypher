// Returns: nothing. Gives the lease back if it is still held.
// Index: workspace_key_unique.
MATCH (w:Workspace {key: $workspace})
WHERE w.build_owner = $owner
SET w.build_owner = null, w.build_until = null
