// Returns: one row per actor: the key and `messages`, keys of the live messages that the actor
//   wrote, is addressed in, or was replied to with.
// Index: actor_key_unique.
UNWIND $keys AS key
MATCH (a:Actor {key: key})
CALL (a) {
  CALL (a) {
    MATCH (m:Message)-[:BY]->(a) RETURN m
    UNION
    MATCH (m:Message)-[:MENTIONS]->(a) RETURN m
    UNION
    MATCH (m:Message)-[:REPLIES_TO]->(:Message)-[:BY]->(a) RETURN m
  }
  WITH m
  WHERE m.live
  RETURN collect(m.key) AS messages
}
RETURN key, messages
