// Returns: one row per artifact: the key; `messages`, keys of the live messages that name it; and
//   `bridges`, the stored SAME_IDENTIFIER bridges of its identifier as [later, earlier].
// And `stored`, the stored trees of the subject as [key, digest, root, [[node, digest], …]].
// Index: tree_subject_audience, forest_node_tree, artifact_key_unique.
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
RETURN key, messages, bridges, stored
