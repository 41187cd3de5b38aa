// Returns: those of the messages $keys that are visible and current: one row: `rows`, a list of
//   [key, channel, audience, author, author_name, channel_name, source_id, source_ts, at, text,
//   raw, thread, reply_to, revision, identifiers, files, link].
// Index: message_key_unique.
UNWIND $keys AS key
MATCH (m:Message {key: key})
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
RETURN collect([m.key, m.channel, m.audience, m.author, m.author_name, m.channel_name,
                       m.source_id, m.source_ts, m.at, m.text, m.raw, m.thread, m.reply_to,
                       m.revision, m.identifiers, m.files, m.link]) AS rows
