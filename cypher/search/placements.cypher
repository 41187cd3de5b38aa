// Returns: where the messages $keys stand: one row, `hits` holds [message, node, tree, view,
//   position].
// Index: message_key_unique, then PLACED; both ends are checked against the scope.
UNWIND $keys AS key
MATCH (m:Message {key: key})
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
MATCH (m)-[p:PLACED]->(n:ForestNode)
WHERE n.workspace = $workspace AND n.audience IN $audiences AND n.view IN $views
RETURN collect([m.key, n.key, n.tree, n.view, p.position]) AS hits
