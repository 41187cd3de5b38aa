// Returns: one row: `number` of visible messages from $since to before $until, the times of the
//   `first` and the `last`, and in how many `channels` and by how many `actors`.
// Index: channel_key_unique, message_channel_at.
MATCH (c:Channel)
WHERE c.key STARTS WITH $prefix AND c.workspace = $workspace AND c.audience IN $audiences
  AND ($channel IS NULL OR c.key = $channel)
MATCH (m:Message)
WHERE m.channel = c.key AND m.at >= $since AND m.at < $until
  AND m.workspace = $workspace AND m.audience IN $audiences AND m.live
  AND ($author IS NULL OR m.author = $author)
RETURN count(m) AS number, min(m.at) AS first, max(m.at) AS last,
       count(DISTINCT c) AS channels, count(DISTINCT m.author) AS actors
