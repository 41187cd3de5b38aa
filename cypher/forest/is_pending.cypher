// Returns: one row: whether a subject of the workspace is stale.
// Index: channel_build_pending, actor_build_pending, artifact_build_pending.
RETURN EXISTS { (:Channel {build_pending: $workspace}) }
    OR EXISTS { (:Actor {build_pending: $workspace}) }
    OR EXISTS { (:Artifact {build_pending: $workspace}) } AS pending
