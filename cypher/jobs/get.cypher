// Returns: one row: the job if it is of this workspace and the asker may see it, else none.
// Index: job_key_unique.
MATCH (j:Job {key: $key})
WHERE j.workspace = $workspace AND ($all OR j.token = $token OR j.actor = $actor)
RETURN properties(j) AS job
