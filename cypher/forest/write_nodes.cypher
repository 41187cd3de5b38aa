// Returns: nothing. Writes trees and nodes. Nodes that were there lose their children: `write_links` of the
//   same transaction puts them on again.
// Index: tree_key_unique, forest_node_key_unique.
CALL () {
  UNWIND $trees AS row
  MERGE (t:Tree {key: row.key})
  SET t += row.properties
}
CALL () {
  UNWIND $new_nodes AS row
  CREATE (n:ForestNode)
  SET n = row.properties, n.key = row.key, n.encode_pending = $workspace
}
CALL () {
  UNWIND $known_nodes AS row
  MERGE (n:ForestNode {key: row.key})
  SET n += row.properties, n.encode_pending = $workspace, n.vector = null
  WITH n
  CALL (n) {
    MATCH (n)<-[r:PLACED]-() DELETE r
  }
  CALL (n) {
    MATCH (n)-[r:CHILD]->() DELETE r
  }
}
