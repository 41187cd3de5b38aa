// Returns: one row: how many nodes were deleted, at most $limit; the caller repeats it until none
//   is left, so that no transaction grows with the workspace.
// Index: the unique keys of all labels; every key starts with its workspace.
// Tokens go first: from the first transaction on nobody reads what is half gone.
CALL () {
  MATCH (n:AccessToken) WHERE n.key STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:ForestNode) WHERE n.key STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Tree) WHERE n.key STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Message) WHERE n.key STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Artifact) WHERE n.key STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Channel) WHERE n.key STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Actor) WHERE n.key STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Job) WHERE n.key STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Workspace {key: $workspace}) RETURN n
}
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
