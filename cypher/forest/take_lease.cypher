// Returns: one row: who holds the lease on building this workspace after the attempt, and how often
//   the audience of a channel has changed.
// Index: workspace_key_unique.
// The name is set to itself: that takes the node's lock before the lease is read. Without it two
//   takers would both read that it is free, and both believe that they hold it.
MERGE (w:Workspace {key: $workspace})
ON CREATE SET w.workspace = $workspace, w.name = $workspace, w.created_at = datetime()
SET w.name = w.name
WITH w, w.build_owner IS NULL
     OR w.build_owner = $owner
     OR w.build_owner IN $gone
     OR w.build_until < datetime() AS free
SET w.build_owner = CASE WHEN free THEN $owner ELSE w.build_owner END,
    w.build_until = CASE WHEN free THEN datetime() + duration({seconds: $seconds})
                    ELSE w.build_until END
RETURN w.build_owner AS owner, coalesce(w.audience_changes, 0) AS audience_changes
