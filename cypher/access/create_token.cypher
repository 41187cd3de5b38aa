// Returns: one row: whether the workspace exists, and whether the actor does and has not left;
//   the token is made only if both are so. No actor counts as one that is there.
// Index: workspace_key_unique, actor_key_unique.
// The workspace's name is set to itself: that takes its lock, so that no token outlives a wipe
//   which runs at the same time.
OPTIONAL MATCH (w:Workspace {key: $workspace})
OPTIONAL MATCH (a:Actor {key: coalesce($token.actor, '')})
SET w.name = w.name
WITH w IS NOT NULL AS workspace_exists,
     $token.actor IS NULL
       OR (a.workspace = $workspace AND NOT coalesce(a.is_deleted, false)) AS actor_there
FOREACH (ignored IN CASE WHEN workspace_exists AND coalesce(actor_there, false) THEN [1] END |
  CREATE (t:AccessToken)
  SET t = $token
)
RETURN workspace_exists, coalesce(actor_there, false) AS actor_there
