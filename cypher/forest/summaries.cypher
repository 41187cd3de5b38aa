// Returns: one row: `items`, a list of [key, summary].
// Index: forest_node_key_unique.
UNWIND $keys AS key
MATCH (n:ForestNode {key: key})
RETURN collect([key, n.summary]) AS items
