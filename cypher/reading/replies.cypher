// Returns: one page of the replies to each of the messages $keys, in order of time: one row:
//   `rows`, a list of [message asked for, list of [rank, row as messages_by_key]].
// Index: message_key_unique, then REPLIES_TO backwards.
UNWIND $keys AS key
MATCH (r:Message {key: key})
WHERE r.workspace = $workspace AND r.audience IN $audiences AND r.live
CALL (r) {
  MATCH (r)<-[:REPLIES_TO]-(m:Message)
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
  WITH m, m.at.epochSeconds * 1000000 + m.at.microsecond AS rank
  WHERE $after_key IS NULL OR rank > $after_rank OR (rank = $after_rank AND m.key > $after_key)
  WITH m, rank ORDER BY rank, m.key LIMIT $limit
  RETURN collect([rank, [m.key, m.channel, m.audience, m.author, m.author_name, m.channel_name,
                       m.source_id, m.source_ts, m.at, m.text, m.raw, m.thread, m.reply_to,
                       m.revision, m.identifiers, m.files, m.link]]) AS found
}
RETURN collect([r.key, found]) AS rows
