// Returns: the artifacts with the most visible messages from $since to before $until: one row:
//   `rows`, a list of [artifact, number], at most $limit, the most active first.
// Index: channel_key_unique, message_channel_at, then PLACED; tree_key_unique for the subject.
MATCH (c:Channel)
WHERE c.key STARTS WITH $prefix AND c.workspace = $workspace AND c.audience IN $audiences
  AND ($channel IS NULL OR c.key = $channel)
MATCH (m:Message)
WHERE m.channel = c.key AND m.at >= $since AND m.at < $until
  AND m.workspace = $workspace AND m.audience IN $audiences AND m.live
  AND ($author IS NULL OR m.author = $author)
MATCH (m)-[p:PLACED]->(l:ForestNode)
WHERE p.view = 'artifact' AND l.workspace = $workspace AND l.audience IN $audiences
WITH l.tree AS tree, count(DISTINCT m) AS number
MATCH (t:Tree {key: tree})
WHERE t.workspace = $workspace AND t.audience IN $audiences
WITH t.subject AS artifact, sum(number) AS number ORDER BY number DESC, artifact LIMIT $limit
RETURN collect([artifact, number]) AS rows
