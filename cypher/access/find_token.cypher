// Returns: one row for the token of that id, none if there is none: its properties, whether its
//   workspace is there, and whether its actor is there and has not left.
// Index: access_token_token_id_unique, workspace_key_unique, actor_key_unique.
MATCH (t:AccessToken {token_id: $token_id})
OPTIONAL MATCH (w:Workspace {key: t.workspace})
OPTIONAL MATCH (a:Actor {key: t.actor})
RETURN properties(t) AS token,
       w IS NOT NULL AS workspace_exists,
       t.actor IS NULL OR (a IS NOT NULL AND NOT coalesce(a.is_deleted, false)) AS actor_there
