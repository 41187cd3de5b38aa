// Returns: one row: `trees`, the visible trees of one view without their nodes, largest first.
// Index: tree_key_unique: a view's trees share the prefix $prefix.
// $key is the subject's key and $name a name in lower case; a tree fits if either is its own.
// With both null all of the view's trees come back, for suggestions.
MATCH (tree:Tree)
WHERE tree.key STARTS WITH $prefix
  AND tree.workspace = $workspace
  AND tree.audience IN $audiences
  AND ($name IS NULL
       OR tree.subject = $key
       OR toLower(tree.name) = $name
       OR any(alias IN tree.aliases WHERE toLower(alias) = $name))
WITH tree ORDER BY tree.size DESC, tree.key
RETURN collect(tree {
  .key, .view, .subject, .audience, .name, .aliases, .size, .span_from, .span_to,
  .card_name, .card_role, .card_title, .card_kind, .card_identifiers, .card_purpose,
  .card_period, .card_participants, .card_channels, .card_topics, .card_owner,
  .card_status_changes, .card_decisions, .card_commitments, .card_works_with, .card_dates
}) AS trees
