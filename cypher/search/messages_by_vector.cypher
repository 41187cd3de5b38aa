CYPHER 25
// The messages nearest to $vector: one row, `hits` holds [key, score, episode] by falling score.
// Vector index message_vector, which filters by workspace and audience inside the index.
MATCH (m:Message)
SEARCH m IN (
  VECTOR INDEX message_vector FOR $vector
  WHERE m.workspace = $workspace AND m.audience IN $audiences
  LIMIT $limit
) SCORE AS score
RETURN collect([m.key, score, m.episode]) AS hits
