// Returns: the best forest nodes by the words of their messages, header or summary, for each of
//   $searches ({number, query, limit, since, until}): one row, `hits` holds [number, [[key, level,
//   stamp_from, stamp_to, score] by falling score]]. Keys say which view and tree it is.
// Index: node_text; workspace, audiences, views and times are required clauses of each query.
//   Workspace and audience are compared once more as whole strings, because the index sees tokens;
//   times exactly.
UNWIND $searches AS search
CALL (search) {
  CALL db.index.fulltext.queryNodes('node_text', search.query, {limit: search.limit})
  YIELD node, score
  WITH node, score
  WHERE node.workspace = $workspace AND node.audience IN $audiences
    AND (search.since IS NULL OR node.span_to >= search.since)
    AND (search.until IS NULL OR node.span_from < search.until)
  RETURN collect([node.key, node.level, node.stamp_from, node.stamp_to, score]) AS found
}
RETURN collect([search.number, found]) AS hits
