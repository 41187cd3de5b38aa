// Returns: one page of the visible channels: one row: `total`, how many fit, and `rows`, a list of
//   [rank, properties, size, first, last] by $order: name, size or last (activity), the last two
//   falling, and then by key.
// Index: channel_key_unique for the workspace's channels, tree_subject_audience for their trees.
//   A page begins behind ($after_rank, $after_key), so rows that arrive meanwhile move nothing.
MATCH (c:Channel)
WHERE c.key STARTS WITH $prefix AND c.workspace = $workspace AND c.audience IN $audiences
  AND ($kinds IS NULL OR c.kind IN $kinds)
  AND ($starts = '' OR toLower(c.name) STARTS WITH $starts)
OPTIONAL MATCH (t:Tree {subject: c.key, audience: c.audience})
WITH c, t WHERE $active_since IS NULL OR t.span_to >= $active_since
WITH collect({
  c: c,
  t: t,
  rank: CASE $order
    WHEN 'name' THEN toLower(c.name)
    WHEN 'size' THEN -coalesce(t.size, 0)
    ELSE -coalesce(t.span_to.epochMillis, 0)
  END
}) AS found
CALL (found) {
  UNWIND found AS row
  WITH row.c AS c, row.t AS t, row.rank AS rank
  WHERE $after_key IS NULL OR rank > $after_rank OR (rank = $after_rank AND c.key > $after_key)
  WITH c, t, rank ORDER BY rank, c.key LIMIT $limit
  RETURN collect([rank, properties(c), coalesce(t.size, 0), t.span_from, t.span_to]) AS rows
}
RETURN size(found) AS total, rows
