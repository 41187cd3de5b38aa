// Returns: nothing. Ends a job whose file never came.
// Index: job_key_unique. The lock as in jobs/heartbeat.
MATCH (j:Job {key: $key})
SET j.kind = j.kind
WITH j
WHERE j.state = 'waiting' AND j.expires_at < datetime()
SET j.state = 'failed', j.finished_at = datetime(), j.error = $error, j.remedy = $remedy
