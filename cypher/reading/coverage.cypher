// Returns: what the log holds of each of the channels $keys: one row: `rows`, a list of [channel,
//   first, last, messages], by visible messages alone.
// Index: channel_key_unique, message_channel_at. A composite index serves only where each of its
//   properties is asked about: hence IS NOT NULL.
UNWIND $keys AS key
MATCH (c:Channel {key: key})
WHERE c.workspace = $workspace AND c.audience IN $audiences
CALL (c) {
  MATCH (m:Message)
  WHERE m.channel = c.key AND m.at IS NOT NULL
    AND m.workspace = $workspace AND m.audience IN $audiences AND m.live
  RETURN min(m.at) AS first, max(m.at) AS last, count(m) AS messages
}
RETURN collect([c.key, first, last, messages]) AS rows
