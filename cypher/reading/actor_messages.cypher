// Returns: one page of the messages that each of the actors $keys wrote: one row: `rows`, a list
//   of [actor, list of [rank, row as messages_by_key]], the newest first if $newest.
// Index: actor_key_unique, then BY.
UNWIND $keys AS key
MATCH (a:Actor {key: key})
WHERE a.workspace = $workspace
CALL (a) {
  MATCH (a)<-[:BY]-(m:Message)
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
    AND m.at >= $since AND m.at < $until
  WITH m, CASE WHEN $newest THEN -1 ELSE 1 END
          * (m.at.epochSeconds * 1000000 + m.at.microsecond) AS rank
  WHERE $after_key IS NULL OR rank > $after_rank OR (rank = $after_rank AND m.key > $after_key)
  WITH m, rank ORDER BY rank, m.key LIMIT $limit
  RETURN collect([rank, [m.key, m.channel, m.audience, m.author, m.author_name, m.channel_name,
                       m.source_id, m.source_ts, m.at, m.text, m.raw, m.thread, m.reply_to,
                       m.revision, m.identifiers, m.files, m.link]]) AS found
}
RETURN collect([a.key, found]) AS rows
