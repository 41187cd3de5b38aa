// Returns: those of the trees $keys that are visible: one row: `rows`, a list of properties with
//   the key of the root.
// Index: tree_key_unique.
UNWIND $keys AS key
MATCH (t:Tree {key: key})
WHERE t.workspace = $workspace AND t.audience IN $audiences
OPTIONAL MATCH (t)-[:ROOT]->(n:ForestNode)
WHERE n.workspace = $workspace AND n.audience IN $audiences
RETURN collect(t {
    .key, .view, .subject, .audience, .name, .aliases, .size, .span_from, .span_to,
    .card_name, .card_role, .card_title, .card_kind, .card_identifiers, .card_purpose,
    .card_period, .card_participants, .card_channels, .card_topics, .card_owner,
    .card_status_changes, .card_decisions, .card_commitments, .card_works_with, .card_dates,
    root: n.key
}) AS rows
