// Returns: one row per channel: its key and `heads`, a list of its live messages as lists (see
//   `TreeStore`), each with text and terms if it stands in no tree yet. Packed into lists because
//   rows are what costs.
// Index: message_channel_at.
UNWIND $keys AS key
CALL (key) {
  MATCH (m:Message {channel: key})
  WHERE m.at IS NOT NULL AND m.live
  RETURN collect([
    m.key, m.channel, m.audience, m.author, m.source_id, m.at.epochMillis, m.thread,
    CASE WHEN m.reply_to IS NULL THEN null
         ELSE head([(m)-[:REPLIES_TO]->(p) | p.author]) END,
    m.mentions, m.identifiers, m.identifier_titles,
    [(m)-[:MENTIONS]->(x:Artifact) | x.key],
    m.episode IS NOT NULL,
    CASE WHEN m.episode IS NULL THEN m.text END,
    CASE WHEN m.episode IS NULL THEN m.terms END
  ]) AS heads
}
RETURN key, heads
