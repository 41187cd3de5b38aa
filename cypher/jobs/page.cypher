// Returns: one row per job that the asker may see, the newest first, at most $limit, after the
//   one that was created at $before with the key $before_key.
// Index: job_workspace_created_at, which also gives the order.
MATCH (j:Job)
WHERE j.workspace = $workspace
  AND j.created_at <= $before
  AND (j.created_at < $before OR j.key < $before_key)
  AND ($all OR j.token = $token OR j.actor = $actor)
  AND ($state IS NULL OR j.state = $state)
WITH j
ORDER BY j.workspace DESC, j.created_at DESC, j.key DESC
LIMIT $limit
RETURN properties(j) AS job
