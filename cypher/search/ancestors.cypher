// Returns: the leaves $keys and the nodes above them up to $height levels: one row, `hits` holds
//   [leaf, key, level, tree, view, tree's name, caption, summary, span_from, span_to], from the
//   leaf upwards.
// Index: forest_node_key_unique and tree_key_unique, then CHILD backwards; every node is checked
//   against the scope.
UNWIND $keys AS key
MATCH (l:ForestNode {key: key})
WHERE l.workspace = $workspace AND l.audience IN $audiences
MATCH (l) ((c:ForestNode)<-[:CHILD]-(p:ForestNode
           WHERE p.workspace = $workspace AND p.audience IN $audiences)){0,8} (a:ForestNode)
WHERE a.level <= l.level + $height
MATCH (t:Tree {key: a.tree})
WHERE t.workspace = $workspace AND t.audience IN $audiences
WITH l, a, t ORDER BY l.key, a.level
RETURN collect([l.key, a.key, a.level, a.tree, a.view, t.name, a.caption, a.summary,
                a.span_from, a.span_to]) AS hits
