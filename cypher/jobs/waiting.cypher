// Returns: one row per job whose file is still to come into this folder, and whether it is too
//   late for that.
// Index: job_state.
MATCH (j:Job {state: 'waiting'})
USING INDEX j:Job(state)
WHERE j.folder = $folder
RETURN j.key AS key, j.file AS file, j.expires_at < datetime() AS late
