// Returns: one page of each of the threads $rows ({id, channel, thread, root}), the root and its
//   replies in order of time: one row: `rows`, a list of [id, list of [rank, row as
//   messages_by_key]].
// Index: message_channel_thread for the members, message_key_unique for the root or a revision.
UNWIND $rows AS row
CALL (row) {
  CALL (row) {
    MATCH (m:Message)
    USING INDEX m:Message(channel, thread)
    WHERE m.channel = row.channel AND m.thread = row.thread
    RETURN m
    UNION
    MATCH (m:Message {key: row.root})
    RETURN m
    UNION
    MATCH (m:Message)
    WHERE m.key STARTS WITH row.root + '~'
    RETURN m
  }
  WITH m, m.at.epochSeconds * 1000000 + m.at.microsecond AS rank
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
    AND ($after_key IS NULL OR rank > $after_rank OR (rank = $after_rank AND m.key > $after_key))
  WITH m, rank ORDER BY rank, m.key LIMIT $limit
  RETURN collect([rank, [m.key, m.channel, m.audience, m.author, m.author_name, m.channel_name,
                       m.source_id, m.source_ts, m.at, m.text, m.raw, m.thread, m.reply_to,
                       m.revision, m.identifiers, m.files, m.link]]) AS found
}
RETURN collect([row.id, found]) AS rows
