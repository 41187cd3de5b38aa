// Returns: one page of the messages in the visible trees of each of the artifacts $keys: one row:
//   `rows`, a list of [artifact, list of [rank, row as messages_by_key]], the newest first if
//   $newest. A message has one audience, so it stands in one of the trees only.
// Index: tree_subject_audience, forest_node_tree, then PLACED backwards.
UNWIND $keys AS key
CALL (key) {
  MATCH (t:Tree)
  WHERE t.subject = key AND t.audience IN $audiences AND t.workspace = $workspace
  MATCH (l:ForestNode {tree: t.key})
  WHERE l.level = 1 AND l.workspace = $workspace AND l.audience IN $audiences
    AND l.span_to >= $since AND l.span_from < $until
  MATCH (l)<-[:PLACED]-(m:Message)
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
    AND m.at >= $since AND m.at < $until
  WITH DISTINCT m, CASE WHEN $newest THEN -1 ELSE 1 END
                   * (m.at.epochSeconds * 1000000 + m.at.microsecond) AS rank
  WHERE $after_key IS NULL OR rank > $after_rank OR (rank = $after_rank AND m.key > $after_key)
  WITH m, rank ORDER BY rank, m.key LIMIT $limit
  RETURN collect([rank, [m.key, m.channel, m.audience, m.author, m.author_name, m.channel_name,
                       m.source_id, m.source_ts, m.at, m.text, m.raw, m.thread, m.reply_to,
                       m.revision, m.identifiers, m.files, m.link]]) AS found
}
RETURN collect([key, found]) AS rows
