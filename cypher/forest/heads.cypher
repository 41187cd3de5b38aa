// Returns: one row: `heads`, a list of messages as lists (see `TreeStore`). Messages that still
//   follow a change of their channel's audience are left out.
// Index: message_key_unique.
UNWIND $keys AS key
MATCH (m:Message {key: key})-[:IN]->(c:Channel)
WHERE m.live AND m.audience = c.audience
RETURN collect([
  m.key, m.channel, m.audience, m.author, m.source_id, m.at.epochMillis, m.thread, null,
  m.mentions, m.identifiers, m.identifier_titles,
  [(m)-[:MENTIONS]->(x:Artifact) | x.key],
  m.episode
]) AS heads
