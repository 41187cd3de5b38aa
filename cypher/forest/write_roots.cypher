// Returns: nothing. Points trees at their roots and at nothing else.
// Index: tree_key_unique, forest_node_key_unique.
CALL () {
  UNWIND $new_roots AS row
  MATCH (t:Tree {key: row.key})
  MATCH (n:ForestNode {key: row.root})
  CREATE (t)-[:ROOT]->(n)
}
CALL () {
  UNWIND $roots AS row
  MATCH (t:Tree {key: row.key})
  MATCH (n:ForestNode {key: row.root})
  CALL (t, n) {
    MATCH (t)-[r:ROOT]->(other)
    WHERE other.key <> n.key
    DELETE r
  }
  MERGE (t)-[:ROOT]->(n)
}
