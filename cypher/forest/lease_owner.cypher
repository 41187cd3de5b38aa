// Returns: one row: who holds the lease, null if it ran out; no row if the workspace is new.
// Index: workspace_key_unique.
MATCH (w:Workspace {key: $workspace})
RETURN CASE WHEN w.build_until >= datetime() THEN w.build_owner END AS owner
