// Returns: as nodes_by_vector, only nodes whose span overlaps $since to before $until.
// Index: node_vector, which filters by workspace, audience, view and times inside the index. A
//   file of its own, since an open range would still be paid for.
CYPHER 25
MATCH (n:ForestNode)
SEARCH n IN (
  VECTOR INDEX node_vector FOR $vector
  WHERE n.workspace = $workspace AND n.audience IN $audiences AND n.view IN $views
    AND n.span_to >= $since AND n.span_from < $until
  LIMIT $limit
) SCORE AS score
RETURN collect([n.key, n.level, n.stamp_from, n.stamp_to, score]) AS hits
