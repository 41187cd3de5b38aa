// Returns: one row: the job as it ended; none if it was no longer the owner's.
// Index: job_key_unique. The lock as in jobs/heartbeat.
MATCH (j:Job {key: $key})
SET j.kind = j.kind
WITH j
WHERE j.state = 'running' AND j.owner = $owner
SET j += $properties,
    j.state = $state,
    j.finished_at = datetime(),
    j.owner = null, j.heartbeat_at = null, j.cancel_requested = null
RETURN properties(j) AS job
