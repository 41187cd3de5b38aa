// Returns: the forest nodes nearest to $vector: one row, `hits` holds [key, tree, view, level,
//   size, stamp_from, stamp_to, score] by falling score.
// Index: node_vector, which filters by workspace, audience, view and level inside the index.
CYPHER 25
MATCH (n:ForestNode)
SEARCH n IN (
  VECTOR INDEX node_vector FOR $vector
  WHERE n.workspace = $workspace AND n.audience IN $audiences AND n.view IN $views
    AND n.level >= $from_level AND n.level <= $to_level
  LIMIT $limit
) SCORE AS score
RETURN collect([n.key, n.tree, n.view, n.level, n.size, n.stamp_from, n.stamp_to, score]) AS hits
