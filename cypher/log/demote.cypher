// Returns: nothing. Takes from entries that stop being live whatever a search or a tree could
//   meet them by. What was placed with them goes stale: the subjects of their trees and the
//   artifacts they name are marked.
// Index: message_key_unique; tree keys through tree_key_unique.
UNWIND $keys AS key
MATCH (m:Message {key: key})
SET m.live = false, m.terms = null, m.context_terms = null, m.vector = null,
    m.encode_pending = null, m.episode = null
WITH m
CALL (m) {
  MATCH (m)-[:PLACED]->(n:ForestNode)
  MATCH (t:Tree {key: n.tree})-[:ABOUT]->(subject)
  SET subject.build_pending = subject.workspace
}
CALL (m) {
  MATCH (m)-[:MENTIONS]->(x:Artifact)
  SET x.build_pending = x.workspace
}
CALL (m) {
  MATCH (m)-[r:PLACED|MENTIONS|REPLIES_TO|SAME_IDENTIFIER]-()
  DELETE r
}
