// Returns: one row: the names of all workspaces, sorted.
// Index: workspace_key_unique; the condition lets the planner walk it in order.
MATCH (w:Workspace)
WHERE w.key >= ''
WITH w.key AS name ORDER BY name
RETURN collect(name) AS names
