// Returns: one row: the properties of those of the actors asked for that exist.
// Index: actor_key_unique.
UNWIND $keys AS key
MATCH (a:Actor {key: key})
RETURN collect(properties(a)) AS nodes
