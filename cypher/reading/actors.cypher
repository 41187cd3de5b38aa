// Returns: one page of the visible actors: one row: `total`, how many fit, and `rows`, a list of
//   [rank, properties, size, first, last] by $order (name, size or last), then by key. Sizes and
//   times are those of the visible trees alone.
// Index: tree_key_unique for the view's trees, actor_key_unique. An actor without a visible tree
//   is not there, but for the asker.
CALL () {
  MATCH (t:Tree)
  WHERE t.key STARTS WITH $prefix AND t.workspace = $workspace AND t.audience IN $audiences
  RETURN t.subject AS key, t.size AS size, t.span_from AS first, t.span_to AS last
  UNION ALL
  MATCH (a:Actor {key: $asker})
  WHERE a.workspace = $workspace
  RETURN a.key AS key, 0 AS size, null AS first, null AS last
}
WITH key, sum(coalesce(size, 0)) AS size, min(first) AS first, max(last) AS last
WHERE $active_since IS NULL OR last >= $active_since
MATCH (a:Actor {key: key})
WHERE $starts = '' OR toLower(a.name) STARTS WITH $starts OR toLower(a.real_name) STARTS WITH $starts
WITH collect({
  a: a,
  size: size,
  first: first,
  last: last,
  rank: CASE $order
    WHEN 'name' THEN toLower(a.name)
    WHEN 'size' THEN -size
    ELSE -coalesce(last.epochMillis, 0)
  END
}) AS found
CALL (found) {
  UNWIND found AS row
  WITH row, row.a AS a, row.rank AS rank
  WHERE $after_key IS NULL OR rank > $after_rank OR (rank = $after_rank AND a.key > $after_key)
  WITH row, a, rank ORDER BY rank, a.key LIMIT $limit
  RETURN collect([rank, properties(a), row.size, row.first, row.last]) AS rows
}
RETURN size(found) AS total, rows
