// Returns: one row: `episodes`, a list of [episode, keys of its live messages in order];
//   `threads`, a list of [channel, thread, keys of its live messages in time order, the root
//   first].
// Index: forest_node_key_unique; message_channel_thread, message_key_unique for the root or a
//   revision of it.
CALL () {
  UNWIND $episodes AS key
  MATCH (n:ForestNode {key: key})<-[p:PLACED]-(m:Message)
  WHERE m.live
  WITH key, p, m ORDER BY p.position
  WITH key, collect(m.key) AS messages
  RETURN collect([key, messages]) AS episodes
}
CALL () {
  UNWIND $threads AS row
  CALL (row) {
    MATCH (m:Message {channel: row.channel, thread: row.thread})
    USING INDEX m:Message(channel, thread)
    RETURN m, 1 AS rank
    UNION
    MATCH (m:Message {key: row.root})
    RETURN m, 0 AS rank
    UNION
    MATCH (m:Message)
    USING INDEX m:Message(key)
    WHERE m.key STARTS WITH row.root + '~'
    RETURN m, 0 AS rank
  }
  WITH row, m, rank
  WHERE m.live
  WITH row, m, rank ORDER BY rank, m.at.epochMillis, m.key
  WITH row, collect(m.key) AS messages
  RETURN collect([row.channel, row.thread, messages]) AS threads
}
RETURN episodes, threads
