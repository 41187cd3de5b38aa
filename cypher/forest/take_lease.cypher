// Returns: one row: who holds the lease on building this workspace after the attempt.
// Index: workspace_key_unique. MERGE locks the node, so of two takers one sees the other.
MERGE (w:Workspace {key: $workspace})
ON CREATE SET w.workspace = $workspace, w.name = $workspace, w.created_at = datetime()
WITH w, w.build_owner IS NULL
     OR w.build_owner = $owner
     OR w.build_owner IN $gone
     OR w.build_until < datetime() AS free
SET w.build_owner = CASE WHEN free THEN $owner ELSE w.build_owner END,
    w.build_until = CASE WHEN free THEN datetime() + duration({seconds: $seconds})
                    ELSE w.build_until END
RETURN w.build_owner AS owner
