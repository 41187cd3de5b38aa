// Returns: one row: the job, now the owner's; none if somebody else has it, or another job of the
//   workspace runs.
// Index: job_key_unique, job_state. Runs behind jobs/lock in the same transaction.
// Owner, attempt and heartbeat change together: an attempt that dies at once has counted.
// The lock as in jobs/heartbeat: a cancellation at the same time comes before or after, not beside.
MATCH (j:Job {key: $key})
SET j.kind = j.kind
WITH j
WHERE (j.state = 'queued' AND j.retry_at <= datetime()
    OR j.state = 'running'
      AND (j.owner IN $gone OR j.heartbeat_at < datetime() - duration({seconds: $stale_s})))
  AND NOT EXISTS {
    MATCH (other:Job {state: 'running'})
    USING INDEX other:Job(state)
    WHERE other.workspace = j.workspace
      AND other.key <> j.key
      AND NOT other.owner IN $gone
      AND other.heartbeat_at >= datetime() - duration({seconds: $stale_s})
  }
SET j.state = 'running',
    j.owner = $owner,
    j.attempt = j.attempt + 1,
    j.heartbeat_at = datetime(),
    j.started_at = coalesce(j.started_at, datetime()),
    j.stage = null, j.done = null, j.total = null
RETURN properties(j) AS job
