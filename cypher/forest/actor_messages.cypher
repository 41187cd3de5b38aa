// Returns: one row per actor: the key and `messages`, keys of the live messages that the actor
//   wrote, is addressed in, or was replied to with.
// And `stored`, the stored trees of the subject as [key, digest, root, [[node, digest], …]].
// Index: tree_subject_audience, forest_node_tree, actor_key_unique.
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
CALL (key) {
  MATCH (t:Tree {subject: key})
  USING INDEX t:Tree(subject, audience)
  WHERE t.audience IS NOT NULL
  CALL (t) {
    MATCH (n:ForestNode {tree: t.key})
    USING INDEX n:ForestNode(tree)
    RETURN collect([n.key, n.digest]) AS nodes
  }
  RETURN collect([t.key, t.digest, head([(t)-[:ROOT]->(r) | r.key]), nodes]) AS stored
}
RETURN key, messages, stored
