// Returns: one row, `hits` holds [key, leaf, leaf, position, stamp, author, terms] of the messages
//   of $leaves and of the leaves right before and after each that are no further from it in time
//   than $silence minutes: of the sitting around it. Each leaf once, in order of time within it.
// Index: forest_node_key_unique, then PLACED backwards; leaves beside it by CHILD over the parent.
//   Every node on the way and every message is checked against the scope and the times.
UNWIND $leaves AS key
MATCH (n:ForestNode {key: key})
WHERE n.workspace = $workspace AND n.audience IN $audiences AND n.level = 1
CALL (n) {
  RETURN n AS l
  UNION
  MATCH (n)<-[at:CHILD]-(p:ForestNode)-[beside:CHILD]->(l:ForestNode)
  WHERE p.workspace = $workspace AND p.audience IN $audiences
    AND l.workspace = $workspace AND l.audience IN $audiences
    AND beside.position IN [at.position - 1, at.position + 1]
    AND l.span_from <= n.span_to + duration({minutes: $silence})
    AND l.span_to >= n.span_from - duration({minutes: $silence})
  RETURN l
}
WITH DISTINCT l
WHERE ($since IS NULL OR l.span_to >= $since) AND ($until IS NULL OR l.span_from < $until)
CALL (l) {
  MATCH (l)<-[p:PLACED]-(m:Message)
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
    AND ($since IS NULL OR m.at >= $since)
    AND ($until IS NULL OR m.at < $until)
  WITH p, m ORDER BY m.stamp, p.position, m.key
  RETURN collect([m.key, l.key, l.key, p.position, m.stamp, m.author, m.terms]) AS said
}
WITH collect(said) AS parts
RETURN reduce(found = [], part IN parts | found + part) AS hits
