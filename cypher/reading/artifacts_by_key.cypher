// Returns: those of the artifacts $keys that have a visible tree: one row: `rows`, a list of
//   [key, kind, identifier, name, aliases, size, first, last] over the visible trees alone.
// Index: artifact_key_unique, tree_subject_audience.
UNWIND $keys AS key
MATCH (x:Artifact {key: key})
WHERE x.workspace = $workspace
MATCH (t:Tree)
WHERE t.subject = x.key AND t.audience IN $audiences AND t.workspace = $workspace
WITH x, t ORDER BY t.size DESC, t.key
WITH x, collect(t) AS trees, sum(coalesce(t.size, 0)) AS size,
     min(t.span_from) AS first, max(t.span_to) AS last
RETURN collect([x.key, x.kind, x.identifier, trees[0].name,
                reduce(all = [], t IN trees | all + coalesce(t.aliases, [])),
                size, first, last]) AS rows
