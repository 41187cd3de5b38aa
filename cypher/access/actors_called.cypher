// Returns: one row: the properties of the actors of the workspace that may be called $text in
//   full. The caller decides which are: lower case here is that of all scripts, and an equal
//   sign is not enough to sign somebody in.
// Index: actor_key_unique, the range of the workspace's actors: aliases stand in a list.
MATCH (a:Actor)
WHERE a.key STARTS WITH $prefix
  AND (a.name = $text OR toLower(a.name) = $lower
    OR a.real_name = $text OR toLower(a.real_name) = $lower
    OR any(alias IN a.aliases WHERE alias = $text OR toLower(alias) = $lower))
RETURN collect(properties(a)) AS nodes
