// Returns: nothing. Deletes nodes and trees that were not planned any more.
// Index: forest_node_key_unique, tree_key_unique.
CALL () {
  UNWIND $gone_nodes AS key
  MATCH (n:ForestNode {key: key})
  DETACH DELETE n
}
CALL () {
  UNWIND $gone_trees AS key
  MATCH (t:Tree {key: key})
  DETACH DELETE t
}
