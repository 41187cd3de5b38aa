// Returns: the messages below nodes, for each of $openings ({number, keys, leaves, terms}): one
//   row, `hits` holds [number, [[key, leaf, below, position, stamp, author, terms], in order of
//   time below each node; of an inner node the earliest `leaves` leaves]]. Terms only where asked
//   for: they are most of what is sent.
// Index: forest_node_key_unique, then CHILD down to level 1 and PLACED backwards; every node on
//   the way and every message is checked against the scope and the times.
UNWIND $openings AS opening
CALL (opening) {
  UNWIND opening.keys AS key
  MATCH (n:ForestNode {key: key})
  WHERE n.workspace = $workspace AND n.audience IN $audiences
  CALL (n, opening) {
    MATCH (n) (()-[:CHILD]->(c:ForestNode
               WHERE c.workspace = $workspace AND c.audience IN $audiences)){0,8} (l:ForestNode)
    WHERE l.level = 1 AND ($since IS NULL OR l.span_to >= $since)
    AND ($until IS NULL OR l.span_from < $until)
    WITH l ORDER BY l.stamp_from, l.key
    WITH collect(l)[0..opening.leaves] AS leaves
    UNWIND leaves AS l
    MATCH (l)<-[p:PLACED]-(m:Message)
    WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
      AND ($since IS NULL OR m.at >= $since)
    AND ($until IS NULL OR m.at < $until)
    WITH l, p, m ORDER BY m.stamp, p.position, m.key
    RETURN collect([m.key, l.key, n.key, p.position, m.stamp, m.author,
                    CASE WHEN opening.terms THEN m.terms END]) AS below
  }
  RETURN reduce(found = [], part IN collect(below) | found + part) AS found
}
RETURN collect([opening.number, found]) AS hits
