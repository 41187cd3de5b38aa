// Returns: one row: `nodes`, those of one visible tree with their parents, roots first.
// Index: tree_key_unique, forest_node_tree.
MATCH (tree:Tree {key: $tree})
WHERE tree.workspace = $workspace AND tree.audience IN $audiences
MATCH (node:ForestNode {tree: tree.key})
OPTIONAL MATCH (parent:ForestNode)-[child:CHILD]->(node)
WITH node, parent, child ORDER BY node.level DESC, child.position, node.key
RETURN collect(node {
  .key, .level, .size, .span_from, .span_to, .caption, .summary,
  parent: parent.key, position: child.position
}) AS nodes
