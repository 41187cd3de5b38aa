// Returns: the messages of the trees $trees: one row, `hits` holds [key, leaf, tree, position,
//   stamp, author, terms], the latest $limit of each tree in order of time.
// Index: forest_node_tree (range), then PLACED backwards; nodes and messages are checked against
//   the scope and the times.
UNWIND $trees AS tree
CALL (tree) {
  MATCH (l:ForestNode {tree: tree})
  WHERE l.level = 1 AND l.workspace = $workspace AND l.audience IN $audiences
    AND l.span_to >= $since AND l.span_from < $until
  MATCH (l)<-[p:PLACED]-(m:Message)
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
    AND m.at >= $since AND m.at < $until
  WITH l, p, m ORDER BY m.stamp DESC, p.position DESC, m.key LIMIT $limit
  WITH l, p, m ORDER BY m.stamp, p.position, m.key
  RETURN collect([m.key, l.key, tree, p.position, m.stamp, m.author, m.terms]) AS found
}
RETURN reduce(hits = [], part IN collect(found) | hits + part) AS hits
