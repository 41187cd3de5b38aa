// Returns: nothing. Takes from entries that stop being live whatever a search or a tree could
//   meet them by. What was placed with them goes stale: the subjects of their trees are marked,
//   and the nodes above them, whose summaries may repeat them, and the cards are withdrawn until
//   they are built anew: nobody has the audience "". So are the artifacts that they name, which
//   may have no tree: the one that nobody names any more goes.
// Index: message_key_unique; tree keys through tree_key_unique.
UNWIND $keys AS key
MATCH (m:Message {key: key})
SET m.live = false, m.terms = null, m.context_terms = null, m.vector = null,
    m.encode_pending = null, m.episode = null
WITH m
CALL (m) {
  MATCH (m)-[:PLACED]->(leaf:ForestNode)
  MATCH (leaf) (()<-[:CHILD]-(:ForestNode)){0,16} (n:ForestNode)
  SET n.audience = '', n.digest = null
  WITH DISTINCT n.tree AS tree
  MATCH (t:Tree {key: tree})-[:ABOUT]->(subject)
  SET t.audience = '', t.digest = null, subject.build_pending = subject.workspace
}
CALL (m) {
  MATCH (m)-[:MENTIONS]->(x:Artifact)
  SET x.build_pending = x.workspace
}
CALL (m) {
  MATCH (m)-[r:PLACED|MENTIONS|REPLIES_TO|SAME_IDENTIFIER]-()
  DELETE r
}
