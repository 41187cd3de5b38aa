// Returns: one row: the job, waiting for another attempt; none if it was no longer the owner's.
// Index: job_key_unique. The lock as in jobs/heartbeat.
// A cancellation that came in the meantime is kept: whoever takes the job next obeys it.
MATCH (j:Job {key: $key})
SET j.kind = j.kind
WITH j
WHERE j.state = 'running' AND j.owner = $owner
SET j += $properties,
    j.state = 'queued',
    j.attempt = j.attempt - $uncounted,
    j.retry_at = datetime() + duration({milliseconds: $delay_ms}),
    j.owner = null, j.heartbeat_at = null
RETURN properties(j) AS job
