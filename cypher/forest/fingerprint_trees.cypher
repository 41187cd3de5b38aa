// Returns: rows of one list each: a tree's properties, what it is about, and its root.
// Index: tree_key_unique, by the prefix that the keys of a workspace share.
MATCH (t:Tree)
USING INDEX t:Tree(key)
WHERE t.key STARTS WITH $prefix AND t.key > $after
WITH t ORDER BY t.key LIMIT $limit
RETURN t.key AS key, properties(t) AS properties,
       [(t)-[:ABOUT]->(s) | s.key] AS about, [(t)-[:ROOT]->(n) | n.key] AS root
