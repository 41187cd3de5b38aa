// Returns: one row: how many jobs were forgotten, at most $limit: those that ended more than $days
//   days ago.
// Index: job_finished_at.
MATCH (j:Job)
WHERE j.finished_at < datetime() - duration({days: $days})
WITH j LIMIT $limit
DELETE j
RETURN count(*) AS forgotten
