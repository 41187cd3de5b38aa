// Returns: one row: whether the owner still holds the lease, and how often the audience of a channel
//   has changed: what was read before a change may have become private.
// Index: workspace_key_unique.
// Every write of a builder starts with this. It takes the lock of the workspace until its
//   transaction ends: who takes the lease over waits for what a killed builder had still under
//   way, and what starts later finds itself shut out.
MATCH (w:Workspace {key: $workspace})
SET w.name = w.name
WITH w
RETURN coalesce(w.build_owner = $owner, false) AS held,
       coalesce(w.audience_changes, 0) AS audience_changes
