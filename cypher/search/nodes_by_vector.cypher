// Returns: the forest nodes nearest to $vector: one row, `hits` holds [key, level, stamp_from,
//   stamp_to, score] by falling score; see nodes_by_words.
// Index: node_vector, which filters by workspace, audience and view inside the index.
CYPHER 25
MATCH (n:ForestNode)
SEARCH n IN (
  VECTOR INDEX node_vector FOR $vector
  WHERE n.workspace = $workspace AND n.audience IN $audiences AND n.view IN $views
  LIMIT $limit
) SCORE AS score
RETURN collect([n.key, n.level, n.stamp_from, n.stamp_to, score]) AS hits
