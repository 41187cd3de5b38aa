// Returns: the messages nearest to $vector: one row, `hits` holds [key, score, episode, author,
//   stamp, [its leaves in the other views]] by falling score; see messages_by_words.
// Index: message_vector, which filters by workspace and audience inside the index.
CYPHER 25
MATCH (m:Message)
SEARCH m IN (
  VECTOR INDEX message_vector FOR $vector
  WHERE m.workspace = $workspace AND m.audience IN $audiences
  LIMIT $limit
) SCORE AS score
RETURN collect([m.key, score, m.episode, m.author, m.stamp,
                [(m)-[p:PLACED]->(n) WHERE p.view <> 'channel'
                 AND n.workspace = $workspace AND n.audience IN $audiences | n.key]]) AS hits
