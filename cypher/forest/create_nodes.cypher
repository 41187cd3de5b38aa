// Returns: nothing. Creates forest nodes that are not stored yet.
// Index: forest_node_key_unique stands behind it.
UNWIND $rows AS row
CREATE (n:ForestNode)
SET n = row.properties, n.key = row.key, n.encode_pending = n.workspace
