// Returns: the leaves $keys and the nodes above them up to $height levels: one row, `hits` holds
//   [leaf, key, level, tree's name, caption, summary, from, until], from the leaf upwards; times as
//   milliseconds since 1970, because the driver takes ten times as long to read a date.
// Index: forest_node_key_unique and tree_key_unique, then CHILD backwards; every node is checked
//   against the scope.
UNWIND $keys AS key
MATCH (l:ForestNode {key: key})
WHERE l.workspace = $workspace AND l.audience IN $audiences
MATCH (t:Tree {key: l.tree})
WHERE t.workspace = $workspace AND t.audience IN $audiences
MATCH (l) ((c:ForestNode)<-[:CHILD]-(p:ForestNode
           WHERE p.workspace = $workspace AND p.audience IN $audiences)){0,8} (a:ForestNode)
WHERE a.level <= l.level + $height
WITH l, a, t ORDER BY l.key, a.level
RETURN collect([l.key, a.key, a.level, t.name, a.caption, a.summary,
                a.span_from.epochMillis, a.span_to.epochMillis]) AS hits
