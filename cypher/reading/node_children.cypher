// Returns: one page of the nodes right below each of the forest nodes $keys, in order of time: one
//   row: `rows`, a list of [key asked for, list of [rank, row as nodes_by_key]].
// Index: forest_node_key_unique, then CHILD. Ordered by (start, key) and not by position, which
//   moves when a node is inserted.
UNWIND $keys AS key
MATCH (n:ForestNode {key: key})
WHERE n.workspace = $workspace AND n.audience IN $audiences
CALL (n) {
  MATCH (n)-[:CHILD]->(k:ForestNode)
  WHERE k.workspace = $workspace AND k.audience IN $audiences
  WITH n, k, k.span_from.epochSeconds * 1000000 + k.span_from.microsecond AS rank
  WHERE $after_key IS NULL OR rank > $after_rank OR (rank = $after_rank AND k.key > $after_key)
  WITH n, k, rank ORDER BY rank, k.key LIMIT $limit
  RETURN collect([rank, [k.key, k.tree, k.view, k.audience, k.level, k.size, k.span_from, k.span_to,
                         k.caption, k.summary, n.key]]) AS found
}
RETURN collect([n.key, found]) AS rows
