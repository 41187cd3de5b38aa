// Returns: rows: a forest node's properties without its vector's numbers, its children and its
//   messages with their positions.
// Index: forest_node_key_unique, by the prefix that the keys of a workspace share.
MATCH (n:ForestNode)
USING INDEX n:ForestNode(key)
WHERE n.key STARTS WITH $prefix AND n.key > $after
WITH n ORDER BY n.key LIMIT $limit
RETURN n.key AS key,
       n {.*, vector: n.vector IS NOT NULL} AS properties,
       [(n)-[r:CHILD]->(c) | [r.position, c.key]] AS children,
       [(n)<-[r:PLACED]-(m) | [r.position, r.view, m.key]] AS messages
