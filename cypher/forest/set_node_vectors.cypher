// Returns: nothing. Stores vectors of nodes, save those that were changed in the meantime.
// Index: forest_node_key_unique.
UNWIND $rows AS row
MATCH (n:ForestNode {key: row[0]})
WHERE n.digest = row[2]
SET n.vector = row[1], n.encode_pending = null
