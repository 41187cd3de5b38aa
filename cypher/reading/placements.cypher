// Returns: where each of the messages $keys stands: one row: `rows`, a list of [message, list of
//   [leaf, tree, view, position]], at most $limit of each message in order of view and tree.
// Index: message_key_unique, then PLACED; both ends are checked against the scope.
UNWIND $keys AS key
MATCH (m:Message {key: key})
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
CALL (m) {
  MATCH (m)-[p:PLACED]->(n:ForestNode)
  WHERE n.workspace = $workspace AND n.audience IN $audiences
    AND ($views IS NULL OR n.view IN $views)
  WITH p, n ORDER BY n.view, n.tree, n.key LIMIT $limit
  RETURN collect([n.key, n.tree, n.view, p.position]) AS found
}
RETURN collect([m.key, found]) AS rows
