// Returns: one row: `items`, a list of [key, digest, caption, summary] of nodes to encode.
// Index: forest_node_encode_pending.
MATCH (n:ForestNode {encode_pending: $workspace})
USING INDEX n:ForestNode(encode_pending)
WITH n LIMIT $limit
RETURN collect([n.key, n.digest, n.caption, n.summary]) AS items
