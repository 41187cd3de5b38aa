// Returns: one row per workspace that has work, the longest waiting first: `running`, a list of
//   [key, owner, whether it has been silent for too long, whether its file is in this folder],
//   and `next`, the oldest job that is due and can be done here, or null.
// Index: job_state.
MATCH (j:Job)
USING INDEX j:Job(state)
WHERE j.state IN ['queued', 'running']
WITH j, coalesce(j.folder = $folder, true) AS here
ORDER BY j.created_at, j.key
WITH j.workspace AS workspace,
     min(j.created_at) AS since,
     collect(CASE WHEN j.state = 'running' THEN
       [j.key, j.owner, j.heartbeat_at < datetime() - duration({seconds: $stale_s}), here]
     END) AS running,
     collect(CASE WHEN j.state = 'queued' AND here AND j.retry_at <= datetime() THEN j.key END)
       AS due
RETURN workspace, running, head(due) AS next
ORDER BY since
