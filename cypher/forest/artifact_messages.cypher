// Returns: one row per artifact: the key; `messages`, keys of the live messages that name it; and
//   `bridges`, the stored SAME_IDENTIFIER bridges of its identifier as [later, earlier].
// Index: artifact_key_unique.
UNWIND $keys AS key
MATCH (x:Artifact {key: key})
CALL (x) {
  MATCH (x)<-[:MENTIONS]-(m:Message)
  WHERE m.live
  RETURN collect(m.key) AS messages
}
CALL (x) {
  MATCH (x)<-[:MENTIONS]-(m:Message)
  MATCH (m)-[:SAME_IDENTIFIER {identifier: x.kind + ':' + x.identifier}]->(p:Message)
  RETURN collect([m.key, p.key]) AS bridges
}
RETURN key, messages, bridges
