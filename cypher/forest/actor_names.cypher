// Returns: one row: `items`, a list of [key, name, real name, title, aliases, is a bot].
// Index: actor_key_unique.
UNWIND $keys AS key
MATCH (a:Actor {key: key})
RETURN collect([a.key, a.name, a.real_name, a.title, a.aliases, a.is_bot]) AS items
