// Returns: one row per key that is a job's: its state.
// Index: job_key_unique.
UNWIND $keys AS key
MATCH (j:Job {key: key})
RETURN j.key AS key, j.state AS state
