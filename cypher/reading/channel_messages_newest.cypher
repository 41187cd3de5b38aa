// Returns: one page of the messages of each of the channels $keys, the newest first: one row:
//   `rows`, a list of [channel, list of [rank, row as messages_by_key]].
// Index: channel_key_unique, message_channel_at, which hands the messages out in order, so that a
//   page reads no more than it shows; for that they are sorted by the channel, too, though it is
//   one. Two files, since a direction is no parameter.
UNWIND $keys AS key
MATCH (c:Channel {key: key})
WHERE c.workspace = $workspace AND c.audience IN $audiences
CALL (c) {
  MATCH (m:Message)
  WHERE m.channel = c.key AND m.at >= $since AND m.at < $until
    AND m.workspace = $workspace AND m.audience IN $audiences AND m.live
    AND ($after_key IS NULL OR m.at < $after_at
         OR (m.at = $after_at AND m.key > $after_key))
  WITH m ORDER BY m.channel DESC, m.at DESC, m.key LIMIT $limit
  WITH m, -(m.at.epochSeconds * 1000000 + m.at.microsecond) AS rank ORDER BY rank, m.key
  RETURN collect([rank, [m.key, m.channel, m.audience, m.author, m.author_name, m.channel_name,
                       m.source_id, m.source_ts, m.at, m.text, m.raw, m.thread, m.reply_to,
                       m.revision, m.identifiers, m.files, m.link]]) AS found
}
RETURN collect([c.key, found]) AS rows
