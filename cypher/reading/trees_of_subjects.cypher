// Returns: the visible trees of the channels, actors or artifacts $keys: one row: `rows`, a list
//   of properties with the key of the root, at most $limit of each subject, the largest first.
// Index: tree_subject_audience.
UNWIND $keys AS key
CALL (key) {
  MATCH (t:Tree)
  WHERE t.subject = key AND t.audience IN $audiences AND t.workspace = $workspace
  WITH t ORDER BY t.size DESC, t.key LIMIT $limit
  OPTIONAL MATCH (t)-[:ROOT]->(n:ForestNode)
  WHERE n.workspace = $workspace AND n.audience IN $audiences
  WITH t, n ORDER BY t.size DESC, t.key
  RETURN collect(t {
    .key, .view, .subject, .audience, .name, .aliases, .size, .span_from, .span_to,
    .card_name, .card_role, .card_title, .card_kind, .card_identifiers, .card_purpose,
    .card_period, .card_participants, .card_channels, .card_topics, .card_owner,
    .card_status_changes, .card_decisions, .card_commitments, .card_works_with, .card_dates,
    root: n.key
  }) AS found
}
RETURN reduce(rows = [], part IN collect(found) | rows + part) AS rows
