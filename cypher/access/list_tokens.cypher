// Returns: one row per token of the workspace, newest first: its properties, whether its workspace
//   is there, and whether its actor is there and has not left. For an empty prefix, of all
//   workspaces: the operator's view.
// Index: access_token_key_unique (range of the workspace), workspace_key_unique, actor_key_unique.
MATCH (t:AccessToken)
WHERE t.key STARTS WITH $prefix
OPTIONAL MATCH (w:Workspace {key: t.workspace})
OPTIONAL MATCH (a:Actor {key: t.actor})
RETURN properties(t) AS token,
       w IS NOT NULL AS workspace_exists,
       t.actor IS NULL OR (a IS NOT NULL AND NOT coalesce(a.is_deleted, false)) AS actor_there
ORDER BY t.created_at DESC, t.token_id
