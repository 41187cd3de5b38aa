// Returns: how many visible messages there are in each bucket of time: one row: `rows`, a list of
//   [start of the bucket, number]; $unit is hour, day, week (from Monday) or month, and a bucket
//   begins where it does in the time zone $zone.
//   An hour that comes twice, as clocks go back, is two: truncating would make it one.
// Index: channel_key_unique, message_channel_at. The caller bounds the number of buckets.
MATCH (c:Channel)
WHERE c.key STARTS WITH $prefix AND c.workspace = $workspace AND c.audience IN $audiences
  AND ($channel IS NULL OR c.key = $channel)
MATCH (m:Message)
WHERE m.channel = c.key AND m.at >= $since AND m.at < $until
  AND m.workspace = $workspace AND m.audience IN $audiences AND m.live
  AND ($author IS NULL OR m.author = $author)
WITH m, datetime({datetime: m.at, timezone: $zone}) AS local
WITH CASE $unit
       WHEN 'hour' THEN local - duration({
         minutes: local.minute, seconds: local.second, nanoseconds: local.nanosecond
       })
       ELSE datetime.truncate($unit, local)
     END AS start,
     count(m) AS number
RETURN collect([start, number]) AS rows
