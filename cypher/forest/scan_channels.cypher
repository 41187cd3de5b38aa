// Returns: one row per channel: its key, `items`, a list of [identifier, live messages that name
//   it], `said`, a list of [key, text] of live messages that stand in no tree yet and hold one of
//   the words for a rename, and `live`, those of `known` messages that are still live.
// Index: message_channel_at; message_key_unique for `known`.
UNWIND $rows AS row
CALL (row) {
  MATCH (m:Message {channel: row.key})
  WHERE m.at IS NOT NULL AND m.live AND size(m.identifiers) > 0
  UNWIND m.identifiers AS identifier
  WITH identifier, count(DISTINCT m) AS messages
  RETURN collect([identifier, messages]) AS items
}
CALL (row) {
  MATCH (m:Message {channel: row.key})
  WHERE m.at IS NOT NULL AND m.live AND m.episode IS NULL
    AND any(cue IN $cues WHERE toLower(m.text) CONTAINS cue)
  RETURN collect([m.key, m.text]) AS said
}
CALL (row) {
  UNWIND row.known AS key
  MATCH (m:Message {key: key})
  WHERE m.live
  RETURN collect(key) AS live
}
RETURN row.key AS key, items, said, live
