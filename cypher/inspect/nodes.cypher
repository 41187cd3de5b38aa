// The nodes of one visible tree with their parents, packed into one row `nodes`, roots first.
// Leans on the uniqueness constraint of Tree.key and the index of ForestNode.tree.
MATCH (tree:Tree {key: $tree})
WHERE tree.workspace = $workspace AND tree.audience IN $audiences
MATCH (node:ForestNode {tree: tree.key})
OPTIONAL MATCH (parent:ForestNode)-[child:CHILD]->(node)
WITH node, parent, child ORDER BY node.level DESC, child.position, node.key
RETURN collect(node {
  .key, .level, .size, .span_from, .span_to, .caption, .summary,
  parent: parent.key, position: child.position
}) AS nodes
