// Returns: one row: the job. One that has failed or was cancelled is queued as if it were new.
// Index: job_key_unique. The lock as in jobs/heartbeat.
MATCH (j:Job {key: $key})
SET j.kind = j.kind
WITH j, j.state IN ['failed', 'cancelled'] AS ended
SET j.state = CASE WHEN ended THEN 'queued' ELSE j.state END,
    j.attempt = CASE WHEN ended THEN 0 ELSE j.attempt END,
    j.retry_at = CASE WHEN ended THEN datetime() ELSE j.retry_at END,
    j.finished_at = CASE WHEN ended THEN null ELSE j.finished_at END,
    j.error = CASE WHEN ended THEN null ELSE j.error END,
    j.remedy = CASE WHEN ended THEN null ELSE j.remedy END
RETURN properties(j) AS job
