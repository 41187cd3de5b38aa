// Returns: the messages below each of the nodes $keys: one row, `hits` holds [key, leaf, below,
//   position, stamp, author, terms], in order of time below each node; of an inner node the
//   earliest $leaves leaves.
// Index: forest_node_key_unique, then CHILD down to level 1 and PLACED backwards; every node on
//   the way and every message is checked against the scope and the times.
UNWIND $keys AS key
MATCH (n:ForestNode {key: key})
WHERE n.workspace = $workspace AND n.audience IN $audiences
CALL (n) {
  MATCH (n) (()-[:CHILD]->(c:ForestNode
             WHERE c.workspace = $workspace AND c.audience IN $audiences)){0,8} (l:ForestNode)
  WHERE l.level = 1 AND l.span_to >= $since AND l.span_from < $until
  WITH l ORDER BY l.stamp_from, l.key LIMIT $leaves
  MATCH (l)<-[p:PLACED]-(m:Message)
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
    AND m.at >= $since AND m.at < $until
  WITH l, p, m ORDER BY m.stamp, p.position, m.key
  RETURN collect([m.key, l.key, n.key, p.position, m.stamp, m.author, m.terms]) AS found
}
RETURN reduce(hits = [], part IN collect(found) | hits + part) AS hits
