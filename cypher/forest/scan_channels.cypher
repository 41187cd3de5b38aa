// Returns: one row per channel: its key; `items`, a list of [identifier, live messages that name
//   it]; `said`, a list of [key, text] of live messages that stand in no tree yet and hold one of
//   the words for a rename; and those of its stored `renames` whose message is still live.
// Index: channel_key_unique, message_channel_at; message_key_unique for the renames.
UNWIND $keys AS key
MATCH (c:Channel {key: key})
CALL (key, c) {
  MATCH (m:Message {channel: key})
  USING INDEX m:Message(channel, at)
  WHERE m.at IS NOT NULL AND m.live AND m.audience = c.audience AND size(m.identifiers) > 0
  UNWIND m.identifiers AS identifier
  WITH identifier, count(DISTINCT m) AS messages
  RETURN collect([identifier, messages]) AS items
}
CALL (key, c) {
  MATCH (m:Message {channel: key})
  USING INDEX m:Message(channel, at)
  WHERE m.at IS NOT NULL AND m.live AND m.audience = c.audience AND m.episode IS NULL
    AND any(cue IN $cues WHERE toLower(m.text) CONTAINS cue)
  RETURN collect([m.key, m.text]) AS said
}
CALL (c) {
  UNWIND coalesce(c.renames, []) AS line
  MATCH (m:Message {key: split(line, '\t')[2]})
  WHERE m.live
  RETURN collect(line) AS renames
}
RETURN key, items, said, renames
