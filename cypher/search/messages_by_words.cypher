// Returns: the best messages by their words and their neighbours' words: one row, `hits` holds
//   [key, score, episode, author, stamp, [[leaf, view, tree] for each placement]] by falling score.
//   Packed into one row, because rows cost more than the search.
// Index: message_text; workspace, audiences and times are required clauses of $query. Workspace
//   and audience are compared once more as whole strings, because the index sees tokens, and times
//   exactly, because it sees milliseconds.
CALL db.index.fulltext.queryNodes('message_text', $query, {limit: $limit}) YIELD node, score
WITH node, score
WHERE node.workspace = $workspace AND node.audience IN $audiences AND node.live
  AND node.at >= $since AND node.at < $until
RETURN collect([node.key, score, node.episode, node.author, node.stamp,
                [(node)-[p:PLACED]->(n) WHERE n.workspace = $workspace AND n.audience IN $audiences
                 | [n.key, n.view, n.tree]]]) AS hits
