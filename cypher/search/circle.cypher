// Returns: who the actor $actor works with, for "my team": one row, `hits` holds the keys of the
//   channels the actor is a member of and may see, smallest first, at most $limit.
// Index: actor_key_unique, then MEMBER_OF.
MATCH (a:Actor {key: $actor})
WHERE a.workspace = $workspace
MATCH (a)-[:MEMBER_OF]->(c:Channel)
WHERE c.workspace = $workspace AND c.audience IN $audiences
WITH c, count { (c)<-[:MEMBER_OF]-() } AS members
ORDER BY members, c.key LIMIT $limit
RETURN collect(c.key) AS hits
