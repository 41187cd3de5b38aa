// Returns: one row per channel: its properties, the first and the last time, and how many entries
//   there are by kind, `superseded` for those that a newer entry stands over.
// Index: channel_key_unique for the workspace's channels, message_channel_at for their entries.
//   A composite index serves only where each of its properties is asked about: hence IS NOT NULL.
MATCH (c:Channel)
WHERE c.key STARTS WITH $prefix
CALL (c) {
  MATCH (m:Message)
  WHERE m.channel = c.key AND m.at IS NOT NULL
  WITH m, CASE WHEN EXISTS { (m)<-[:SUPERSEDES]-() } THEN 'superseded' ELSE m.kind END AS kind
  WITH kind, count(*) AS number, min(m.at) AS first, max(m.at) AS last
  RETURN collect([kind, number]) AS kinds, min(first) AS first, max(last) AS last
}
RETURN properties(c) AS channel, kinds, first, last
ORDER BY c.name, c.key
