// Returns: one row per thread: its channel, its id and `heads`, its live messages in time order,
//   the root first.
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
WITH row, m, rank ORDER BY rank, m.at, m.key
RETURN row.channel AS channel, row.thread AS thread, collect([
  m.key, m.channel, m.audience, m.author, m.source_id, m.at.epochMillis, m.thread, null,
  m.mentions, m.identifiers, m.identifier_titles,
  [(m)-[:MENTIONS]->(y:Artifact) | y.key], true
]) AS heads
