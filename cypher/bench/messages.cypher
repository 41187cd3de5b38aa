// Returns: the live messages of one workspace after the key $after, at most $limit, in order of
//   key: what the benchmark's baselines index. Vectors come along, so pages are small.
// Index: the constraint on Message.key; a key starts with its workspace.
MATCH (m:Message)
WHERE m.key STARTS WITH $prefix AND m.key > $after AND m.live
WITH m ORDER BY m.key LIMIT $limit
RETURN m.key AS key, m.channel AS channel, m.source_id AS source_id, m.audience AS audience,
  m.at AS at, m.author_name AS author, m.text AS text, m.files AS files, m.vector AS vector
