// Returns: nothing. Creates nodes or changes them, and takes their children off: `place_messages`
//   and `link_children` of the same transaction put them on again.
// Index: forest_node_key_unique.
UNWIND $rows AS row
MERGE (n:ForestNode {key: row.key})
SET n += row.properties, n.encode_pending = n.workspace, n.vector = null
WITH n
CALL (n) {
  MATCH (n)<-[r:PLACED]-() DELETE r
}
CALL (n) {
  MATCH (n)-[r:CHILD]->() DELETE r
}
