// Returns: as messages_by_vector, from $since to before $until.
// Index: message_vector, which filters by workspace, audience and time inside the index. A file
//   of its own, since a range that lets everything through would still be paid for.
CYPHER 25
MATCH (m:Message)
SEARCH m IN (
  VECTOR INDEX message_vector FOR $vector
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.at >= $since AND m.at < $until
  LIMIT $limit
) SCORE AS score
RETURN collect([m.key, score, m.episode, m.author, m.stamp,
                [(m)-[p:PLACED]->(n) WHERE p.view <> 'channel'
                 AND n.workspace = $workspace AND n.audience IN $audiences | n.key]]) AS hits
