// Returns: one row: the last key looked at, null when there was none left.
// Index: forest_node_key_unique, walked in its order from $after on, so that no step looks at what
//   an earlier one has done, however often the walk is interrupted.
MATCH (n:ForestNode)
WHERE n.key > $after
WITH n ORDER BY n.key LIMIT $limit
SET n.vector = null,
    n.encode_pending = n.workspace
RETURN max(n.key) AS last
