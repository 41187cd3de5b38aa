// Returns: those of the actors $keys that are visible: one row: `rows`, a list of
//   [properties, size, first, last] over their visible trees.
// Index: actor_key_unique, tree_subject_audience. Visible is who has a visible tree, the asker,
//   and, until the trees are built, whoever wrote a visible message.
UNWIND $keys AS key
MATCH (a:Actor {key: key})
WHERE a.workspace = $workspace
CALL (a) {
  MATCH (t:Tree)
  WHERE t.subject = a.key AND t.audience IN $audiences AND t.workspace = $workspace
  RETURN count(t) AS trees, sum(coalesce(t.size, 0)) AS size,
         min(t.span_from) AS first, max(t.span_to) AS last
}
WITH a, trees, size, first, last
WHERE trees > 0 OR a.key = $asker OR EXISTS {
  MATCH (a)<-[:BY]-(m:Message)
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
}
RETURN collect([properties(a), size, first, last]) AS rows
