// Returns: nothing. Creates trees or changes their properties.
// Index: tree_key_unique.
UNWIND $rows AS row
MERGE (t:Tree {key: row.key})
SET t += row.properties
