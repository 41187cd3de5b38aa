// Returns: nothing. Places messages in leaves and nodes in nodes, in order; gives messages their episode
//   and the terms of their neighbours in it. One whose neighbours changed is to be encoded again:
//   they are part of what is encoded.
// Index: forest_node_key_unique, message_key_unique.
CALL () {
  UNWIND $leaves AS row
  MATCH (n:ForestNode {key: row.key})
  UNWIND range(0, size(row.children) - 1) AS i
  MATCH (m:Message {key: row.children[i]})
  WHERE m.live
  CREATE (m)-[:PLACED {view: row.view, position: i}]->(n)
}
CALL () {
  UNWIND $inner AS row
  MATCH (n:ForestNode {key: row.key})
  UNWIND range(0, size(row.children) - 1) AS i
  MATCH (c:ForestNode {key: row.children[i]})
  CREATE (n)-[:CHILD {position: i}]->(c)
}
CALL () {
  UNWIND $contexts AS row
  MATCH (m:Message {key: row[0]})
  WHERE m.live
  SET m.encode_pending = CASE WHEN m.vector IS NULL OR coalesce(m.context_terms, '') <> row[2]
                              THEN $workspace ELSE m.encode_pending END,
      m.episode = row[1],
      m.context_terms = row[2]
}
