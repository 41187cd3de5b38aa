// Returns: the nodes above each of the forest nodes $keys, the root first: one row: `rows`, a list
//   of [key asked for, list of rows as nodes_by_key].
// Index: forest_node_key_unique, then CHILD backwards; every node on the way is checked.
UNWIND $keys AS key
MATCH (n:ForestNode {key: key})
WHERE n.workspace = $workspace AND n.audience IN $audiences
CALL (n) {
  MATCH (n) (()<-[:CHILD]-(p:ForestNode
             WHERE p.workspace = $workspace AND p.audience IN $audiences)){1,16} (a:ForestNode)
  OPTIONAL MATCH (a)<-[:CHILD]-(above:ForestNode)
  WHERE above.workspace = $workspace AND above.audience IN $audiences
  WITH a, above ORDER BY a.level DESC
  RETURN collect([a.key, a.tree, a.view, a.audience, a.level, a.size, a.span_from, a.span_to,
                  a.caption, a.summary, above.key]) AS found
}
RETURN collect([n.key, found]) AS rows
