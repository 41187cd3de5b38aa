// Returns: messages placed in a tree of $first and in a tree of $second (keys of trees): one row,
//   `hits` holds [message, leaf in first, leaf in second, episode], the latest first, at most
//   $limit.
// Index: forest_node_tree (range) for $first, which the caller makes the smaller side; then
//   PLACED back and forth. Nodes and messages are checked against the scope and the times.
UNWIND $first AS tree
MATCH (a:ForestNode {tree: tree})
WHERE a.level = 1 AND a.workspace = $workspace AND a.audience IN $audiences
  AND ($since IS NULL OR a.span_to >= $since)
    AND ($until IS NULL OR a.span_from < $until)
MATCH (a)<-[:PLACED]-(m:Message)
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
  AND ($since IS NULL OR m.at >= $since)
    AND ($until IS NULL OR m.at < $until)
MATCH (m)-[:PLACED]->(b:ForestNode)
WHERE b.tree IN $second AND b.workspace = $workspace AND b.audience IN $audiences
WITH m, min(a.key) AS first, min(b.key) AS second
ORDER BY m.stamp DESC, m.key LIMIT $limit
RETURN collect([m.key, first, second, m.episode]) AS hits
