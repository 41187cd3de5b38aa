// Returns: trees whose name, aliases or card hold words of the question: one row, `hits` holds
//   [key, view, subject, audience, name, aliases, size, score], by falling score within each of
//   $queries.
// Index: tree_text; workspace, audiences and the view are required clauses of each query.
//   Workspace and audience are compared once more as whole strings, because the index sees tokens.
//   Several queries in one round trip, each with its own limit, so that no view crowds out another.
UNWIND $queries AS query
CALL (query) {
  CALL db.index.fulltext.queryNodes('tree_text', query, {limit: $limit}) YIELD node, score
  WITH node, score
  WHERE node.workspace = $workspace AND node.audience IN $audiences
  RETURN collect([node.key, node.view, node.subject, node.audience, node.name, node.aliases,
                  node.size, score]) AS found
}
RETURN reduce(hits = [], part IN collect(found) | hits + part) AS hits
