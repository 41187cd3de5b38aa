// Returns: those of the forest nodes $keys that are visible: one row: `rows`, a list of [key,
//   tree, view, audience, level, size, span_from, span_to, caption, summary, key of the parent].
// Index: forest_node_key_unique, then CHILD backwards.
UNWIND $keys AS key
MATCH (n:ForestNode {key: key})
WHERE n.workspace = $workspace AND n.audience IN $audiences
OPTIONAL MATCH (n)<-[:CHILD]-(p:ForestNode)
WHERE p.workspace = $workspace AND p.audience IN $audiences
RETURN collect([n.key, n.tree, n.view, n.audience, n.level, n.size, n.span_from, n.span_to,
                n.caption, n.summary, p.key]) AS rows
