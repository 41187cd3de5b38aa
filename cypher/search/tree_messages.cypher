// Returns: the messages of the trees $trees: one row, `hits` holds [key, leaf, tree, position,
//   stamp, author, terms], the latest $limit of each tree in order of time. Terms only for the
//   trees $worded: they are most of what is sent.
// Index: forest_node_tree (range), then PLACED backwards; nodes and messages are checked against
//   the scope and the times.
UNWIND $trees AS tree
CALL (tree) {
  MATCH (l:ForestNode {tree: tree})
  WHERE l.level = 1 AND l.workspace = $workspace AND l.audience IN $audiences
    AND ($since IS NULL OR l.span_to >= $since)
    AND ($until IS NULL OR l.span_from < $until)
  MATCH (l)<-[p:PLACED]-(m:Message)
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
    AND ($since IS NULL OR m.at >= $since)
    AND ($until IS NULL OR m.at < $until)
  WITH l, p, m ORDER BY m.stamp DESC, p.position DESC, m.key LIMIT $limit
  WITH l, p, m ORDER BY m.stamp, p.position, m.key
  RETURN collect([m.key, l.key, tree, p.position, m.stamp, m.author,
                  CASE WHEN tree IN $worded THEN m.terms END]) AS found
}
RETURN reduce(hits = [], part IN collect(found) | hits + part) AS hits
