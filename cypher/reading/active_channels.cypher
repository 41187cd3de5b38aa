// Returns: the visible channels with the most messages from $since to before $until: one row:
//   `rows`, a list of [channel, number], at most $limit, the most active first.
// Index: channel_key_unique, message_channel_at.
MATCH (c:Channel)
WHERE c.key STARTS WITH $prefix AND c.workspace = $workspace AND c.audience IN $audiences
  AND ($channel IS NULL OR c.key = $channel)
MATCH (m:Message)
WHERE m.channel = c.key AND m.at >= $since AND m.at < $until
  AND m.workspace = $workspace AND m.audience IN $audiences AND m.live
  AND ($author IS NULL OR m.author = $author)
WITH c, count(m) AS number ORDER BY number DESC, c.key LIMIT $limit
RETURN collect([c.key, number]) AS rows
