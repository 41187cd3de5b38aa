// Returns: one row: `items`, a list of [channel, thread, keys of its live messages in time order,
//   the root first].
// Index: message_channel_thread; message_key_unique for the root, or a revision of it.
UNWIND $rows AS row
CALL (row) {
  MATCH (m:Message {channel: row.channel, thread: row.thread})
  RETURN m, 1 AS rank
  UNION
  MATCH (m:Message {key: row.root})
  RETURN m, 0 AS rank
  UNION
  MATCH (m:Message)
  WHERE m.key STARTS WITH row.root + '~'
  RETURN m, 0 AS rank
}
WITH row, m, rank
WHERE m.live
WITH row, m, rank ORDER BY rank, m.at.epochMillis, m.key
WITH row, collect(m.key) AS messages
RETURN collect([row.channel, row.thread, messages]) AS items
