// Returns: one row: the job. One that runs is only asked to stop: its owner ends it.
// Index: job_key_unique. The lock as in jobs/heartbeat.
MATCH (j:Job {key: $key})
SET j.kind = j.kind
WITH j, j.state AS was
SET j.state = CASE WHEN was IN ['waiting', 'queued'] THEN 'cancelled' ELSE was END,
    j.finished_at = CASE WHEN was IN ['waiting', 'queued'] THEN datetime() ELSE j.finished_at END,
    j.cancel_requested = CASE WHEN was = 'running' THEN true ELSE null END
RETURN properties(j) AS job
