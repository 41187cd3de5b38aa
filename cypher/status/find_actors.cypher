// Returns: one row: the properties of the actors of the workspace that have $wanted (in lower
//   case) as id, name, real name or alias, or as one word of a name.
// Index: actor_key_unique, the range of the workspace's actors: names are compared without case,
//   which no range index does.
MATCH (a:Actor)
WHERE a.key STARTS WITH $prefix
  AND (toLower(a.source_id) = $wanted
    OR toLower(a.name) = $wanted
    OR toLower(a.real_name) = $wanted
    OR any(alias IN a.aliases WHERE toLower(alias) = $wanted)
    OR $wanted IN split(toLower(a.name), ' ')
    OR $wanted IN split(toLower(a.real_name), ' '))
RETURN collect(properties(a)) AS nodes
