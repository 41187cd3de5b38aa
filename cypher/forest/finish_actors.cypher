// Returns: nothing. Takes the marks off actors whose trees are up to date.
// Index: actor_key_unique.
UNWIND $built_actors AS row
MATCH (a:Actor {key: row.key})
SET a.building = null, a.built_name = a.name
