// Returns: one row: how many messages and nodes are to be encoded.
// Index: message_encode_pending, forest_node_encode_pending.
CALL () {
  MATCH (m:Message {encode_pending: $workspace}) RETURN count(m) AS messages
}
CALL () {
  MATCH (n:ForestNode {encode_pending: $workspace}) RETURN count(n) AS nodes
}
RETURN messages, nodes
