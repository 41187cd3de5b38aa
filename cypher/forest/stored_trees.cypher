// Returns: one row per stored tree of the subjects: subject, key, digest, key of the root, and
//   `nodes`, a list of [key, digest] of its nodes.
// Index: tree_subject_audience, forest_node_tree.
UNWIND $subjects AS subject
MATCH (t:Tree {subject: subject})
WHERE t.audience IS NOT NULL
CALL (t) {
  MATCH (n:ForestNode {tree: t.key})
  RETURN collect([n.key, n.digest]) AS nodes
}
RETURN subject, t.key AS key, t.digest AS digest,
       head([(t)-[:ROOT]->(r) | r.key]) AS root, nodes
