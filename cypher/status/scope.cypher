// Returns: one row: whether the workspace exists, whether the actor does, and the audiences of the
//   conversations that the actor belongs to.
// Index: workspace_key_unique, actor_key_unique.
OPTIONAL MATCH (w:Workspace {key: $workspace})
OPTIONAL MATCH (a:Actor {key: $actor})
RETURN w IS NOT NULL AS workspace_exists,
       a IS NOT NULL AS actor_exists,
       COLLECT {
         MATCH (a)-[:MEMBER_OF]->(c:Channel)
         WHERE c.audience <> 'public'
         RETURN DISTINCT c.audience
       } AS audiences
