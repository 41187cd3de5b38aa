// Returns: one row: `texts`, a list of [key, text, terms] of messages; `summaries`, a list of
//   [key, summary] of nodes.
// Index: message_key_unique, forest_node_key_unique.
CALL () {
  UNWIND $messages AS key
  MATCH (m:Message {key: key})
  RETURN collect([key, m.text, m.terms]) AS texts
}
CALL () {
  UNWIND $nodes AS key
  MATCH (n:ForestNode {key: key})
  RETURN collect([key, n.summary]) AS summaries
}
RETURN texts, summaries
