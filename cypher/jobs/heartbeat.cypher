// Returns: one row: whether the job is to be cancelled; none if it is no longer the owner's.
// Index: job_key_unique.
// The kind is set to itself: that takes the node's lock before its state is read.
MATCH (j:Job {key: $key})
SET j.kind = j.kind
WITH j
WHERE j.state = 'running' AND j.owner = $owner
SET j.heartbeat_at = datetime(), j.stage = $stage, j.done = $done, j.total = $total
RETURN coalesce(j.cancel_requested, false) AS cancel
