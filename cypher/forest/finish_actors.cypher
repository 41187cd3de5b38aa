// Returns: nothing. Takes the marks off actors whose trees are up to date.
// Index: actor_key_unique.
UNWIND $keys AS key
MATCH (a:Actor {key: key})
SET a.building = null, a.built_name = a.name
