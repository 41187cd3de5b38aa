// Returns: nothing. Places messages in level-1 nodes, in order.
// Index: forest_node_key_unique, message_key_unique. CREATE: `upsert_nodes` took all off before.
UNWIND $rows AS row
MATCH (n:ForestNode {key: row.key})
UNWIND range(0, size(row.children) - 1) AS i
MATCH (m:Message {key: row.children[i]})
WHERE m.live
CREATE (m)-[:PLACED {view: row.view, position: i}]->(n)
