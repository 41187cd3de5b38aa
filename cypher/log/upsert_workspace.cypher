// Returns: nothing.
// Index: workspace_key_unique. MERGE on the unique key, so that two ingests make one node.
MERGE (w:Workspace {key: $workspace})
ON CREATE SET w.workspace = $workspace, w.name = $workspace, w.created_at = datetime()
