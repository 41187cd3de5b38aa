// Returns: the best forest nodes by the words of their messages, header or summary: one row,
//   `hits` holds [key, tree, view, level, size, stamp_from, stamp_to, score] by falling score.
// Index: node_text; workspace, audiences, views and times are required clauses of $query.
//   Workspace and audience are compared once more as whole strings, because the index sees tokens;
//   times exactly.
CALL db.index.fulltext.queryNodes('node_text', $query, {limit: $limit}) YIELD node, score
WITH node, score
WHERE node.workspace = $workspace AND node.audience IN $audiences
  AND node.span_to >= $since AND node.span_from < $until
RETURN collect([node.key, node.tree, node.view, node.level, node.size, node.stamp_from,
                node.stamp_to, score]) AS hits
