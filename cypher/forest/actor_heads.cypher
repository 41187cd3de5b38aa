// Returns: one row per actor: the key and `heads`, a list of the live messages that the actor
//   wrote, is addressed in, or was replied to with.
// Index: actor_key_unique.
UNWIND $keys AS key
CALL (key) {
  MATCH (a:Actor {key: key})
  CALL (a) {
    MATCH (m:Message)-[:BY]->(a) RETURN m
    UNION
    MATCH (m:Message)-[:MENTIONS]->(a) RETURN m
    UNION
    MATCH (m:Message)-[:REPLIES_TO]->(:Message)-[:BY]->(a) RETURN m
  }
  WITH m
  WHERE m.live
  RETURN collect([
    m.key, m.channel, m.audience, m.author, m.source_id, m.at.epochMillis, m.thread, null,
    m.mentions, m.identifiers, m.identifier_titles,
    [(m)-[:MENTIONS]->(x:Artifact) | x.key], true
  ]) AS heads
}
RETURN key, heads
