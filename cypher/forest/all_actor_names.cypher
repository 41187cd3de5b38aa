// Returns: one row: `items`, a list of [key, name, real name, title, aliases, is a bot] of at
//   most `limit` actors of the workspace.
// Index: actor_key_unique, by the prefix that the keys of a workspace share.
MATCH (a:Actor)
WHERE a.key STARTS WITH $prefix
WITH a LIMIT $limit
RETURN collect([a.key, a.name, a.real_name, a.title, a.aliases, a.is_bot]) AS items
