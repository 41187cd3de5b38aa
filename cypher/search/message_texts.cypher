// Returns: the messages $keys verbatim with what a citation names: one row, `hits` holds [key,
//   text, seconds, nanoseconds, source_id, source_ts, channel, channel_name, audience, author,
//   author_name, author's title, link, files, thread, revision]. The time comes as two numbers,
//   because the driver takes ten times as long to read one as a date.
// Index: message_key_unique. The message is checked against the scope and the times, and so is its
//   channel: when that turns private, its messages follow in batches.
UNWIND $keys AS key
MATCH (m:Message {key: key})-[:IN]->(c:Channel)
WHERE m.workspace = $workspace AND m.audience IN $audiences AND c.audience IN $audiences AND m.live
  AND ($since IS NULL OR m.at >= $since)
    AND ($until IS NULL OR m.at < $until)
OPTIONAL MATCH (m)-[:BY]->(a:Actor)
RETURN collect([m.key, m.text, m.at.epochSeconds, m.at.nanosecond, m.source_id, m.source_ts,
                m.channel, m.channel_name, m.audience, m.author, m.author_name, a.title, m.link,
                m.files, m.thread, m.revision]) AS hits
