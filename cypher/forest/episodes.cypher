// Returns: one row: `items`, a list of [episode, keys of its live messages in order].
// Index: forest_node_key_unique.
UNWIND $keys AS key
MATCH (n:ForestNode {key: key})<-[p:PLACED]-(m:Message)
WHERE m.live
WITH key, p, m ORDER BY p.position
WITH key, collect(m.key) AS messages
RETURN collect([key, messages]) AS items
