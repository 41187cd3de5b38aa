// Returns: the best messages by their words: one row: `hits`, a list of [key, score] by falling
//   score, at most $limit.
// Index: message_text; workspace, audiences, times, channels and authors are required clauses of
//   $query. The limit stands behind the filter by view, which the index does not know: as many
//   come out as were asked for, if they are there.
CALL db.index.fulltext.queryNodes('message_text', $query) YIELD node AS m, score
WITH m, score
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
  AND m.at >= $since AND m.at < $until
  AND ($view IS NULL OR EXISTS {
    MATCH (m)-[p:PLACED]->(n:ForestNode)
    WHERE p.view = $view AND n.workspace = $workspace AND n.audience IN $audiences
  })
WITH m, score LIMIT $limit
RETURN collect([m.key, score]) AS hits
