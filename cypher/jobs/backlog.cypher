// Returns: one row: how many jobs of the workspace wait for their file or their turn, at most $limit.
// Index: job_state.
MATCH (j:Job)
USING INDEX j:Job(state)
WHERE j.state IN ['waiting', 'queued'] AND j.workspace = $workspace
WITH j LIMIT $limit
RETURN count(*) AS number
