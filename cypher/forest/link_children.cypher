// Returns: nothing. Links nodes to their children, in order.
// Index: forest_node_key_unique.
UNWIND $rows AS row
MATCH (n:ForestNode {key: row.key})
UNWIND range(0, size(row.children) - 1) AS i
MATCH (c:ForestNode {key: row.children[i]})
CREATE (n)-[:CHILD {position: i}]->(c)
