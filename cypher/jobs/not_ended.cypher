// Returns: one row: how many jobs of all workspaces wait, or are being worked on.
// Index: job_state.
MATCH (j:Job)
USING INDEX j:Job(state)
WHERE j.state IN ['waiting', 'queued', 'running']
RETURN count(*) AS number
