// Returns: nothing. Deletes nodes that a tree no longer has, with their relationships.
// Index: forest_node_key_unique.
UNWIND $keys AS key
MATCH (n:ForestNode {key: key})
DETACH DELETE n
