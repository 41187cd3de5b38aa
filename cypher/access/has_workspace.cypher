// Returns: one row: whether there is such a workspace.
// Index: workspace_key_unique.
OPTIONAL MATCH (w:Workspace {key: $workspace})
RETURN w IS NOT NULL AS there
