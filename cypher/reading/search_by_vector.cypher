// Returns: the messages nearest to $vector: one row: `hits`, a list of [key, score] by falling
//   score, and `seen`, how many the index handed out before channels, authors and view were
//   looked at, which it does not know: the caller asks for more until enough are left.
// Index: message_vector, which filters by workspace, audience and time inside the index.
CYPHER 25
MATCH (m:Message)
SEARCH m IN (
  VECTOR INDEX message_vector FOR $vector
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.at >= $since AND m.at < $until
  LIMIT $limit
) SCORE AS score
WITH collect([m, score]) AS found
RETURN size(found) AS seen, [hit IN found
  WHERE ($channels IS NULL OR hit[0].channel IN $channels)
    AND ($authors IS NULL OR hit[0].author IN $authors)
    AND ($view IS NULL OR EXISTS {
      MATCH (m:Message {key: hit[0].key})-[p:PLACED]->(n:ForestNode)
      WHERE p.view = $view AND n.workspace = $workspace AND n.audience IN $audiences
    })
  | [hit[0].key, hit[1]]] AS hits
