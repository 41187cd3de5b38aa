// Returns: one page of the visible artifacts: one row: `total`, how many fit, and `rows`, a list
//   of [rank, key, kind, identifier, name, aliases, size, first, last] by $order (name, size or
//   last), then by key. All of it comes from the visible trees alone: names too have an audience.
// Index: tree_key_unique for the view's trees, artifact_key_unique.
MATCH (t:Tree)
WHERE t.key STARTS WITH $prefix AND t.workspace = $workspace AND t.audience IN $audiences
WITH t ORDER BY t.size DESC, t.key
WITH t.subject AS key, collect(t) AS trees, sum(coalesce(t.size, 0)) AS size,
     min(t.span_from) AS first, max(t.span_to) AS last
WHERE $active_since IS NULL OR last >= $active_since
MATCH (x:Artifact {key: key})
WHERE ($kinds IS NULL OR x.kind IN $kinds)
  AND ($starts = '' OR toLower(x.identifier) STARTS WITH $starts
       OR any(t IN trees WHERE toLower(t.name) STARTS WITH $starts
              OR any(alias IN t.aliases WHERE toLower(alias) STARTS WITH $starts)))
WITH collect({
  x: x,
  trees: trees,
  size: size,
  first: first,
  last: last,
  rank: CASE $order
    WHEN 'name' THEN toLower(trees[0].name)
    WHEN 'size' THEN -size
    ELSE -coalesce(last.epochMillis, 0)
  END
}) AS found
CALL (found) {
  UNWIND found AS row
  WITH row, row.x AS x, row.rank AS rank
  WHERE $after_key IS NULL OR rank > $after_rank OR (rank = $after_rank AND x.key > $after_key)
  WITH row, x, rank ORDER BY rank, x.key LIMIT $limit
  RETURN collect([rank, x.key, x.kind, x.identifier, row.trees[0].name,
                  reduce(all = [], t IN row.trees | all + coalesce(t.aliases, [])),
                  row.size, row.first, row.last]) AS rows
}
RETURN size(found) AS total, rows
