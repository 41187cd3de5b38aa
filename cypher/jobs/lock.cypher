// Returns: nothing. Takes the lock of the workspace until the transaction ends: of two workers that
//   want to begin a job of one workspace, the second one then sees what the first one did.
// Index: workspace_key_unique.
MATCH (w:Workspace {key: $workspace})
SET w.name = w.name
