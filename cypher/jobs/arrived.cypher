// Returns: one row: the job, whose file is there now.
// Index: job_key_unique. The lock as in jobs/heartbeat; a job that was cancelled while its file
//   arrived stays so.
MATCH (j:Job {key: $key})
SET j.kind = j.kind
WITH j, j.state = 'waiting' AS waited
SET j.state = CASE WHEN waited THEN 'queued' ELSE j.state END,
    j.retry_at = CASE WHEN waited THEN datetime() ELSE j.retry_at END,
    j.expires_at = null
RETURN properties(j) AS job
