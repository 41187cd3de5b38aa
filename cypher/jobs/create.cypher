// Returns: one row: the job, and whether it was there before.
// Index: workspace_key_unique, job_key_unique. MERGE on the unique keys: a request that is sent
//   twice, also at the same time, makes one job.
// Milliseconds: a cursor must come back from a client as exactly the time that is stored.
MERGE (w:Workspace {key: $workspace})
ON CREATE SET w.workspace = $workspace, w.name = $workspace, w.created_at = datetime()
MERGE (j:Job {key: $key})
ON CREATE SET j += $properties,
              j.created_at = datetime.truncate('millisecond', datetime()),
              j.retry_at = datetime(),
              j.expires_at = CASE WHEN $lasts_s IS NULL THEN null
                             ELSE datetime() + duration({seconds: $lasts_s}) END
RETURN properties(j) AS job
