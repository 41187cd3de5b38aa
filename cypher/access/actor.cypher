// Returns: one row: the properties of the actor with that key, as a list of one or none.
// Index: actor_key_unique.
OPTIONAL MATCH (a:Actor {key: $key})
RETURN collect(properties(a)) AS nodes
