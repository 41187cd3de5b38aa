// Returns: one page of the placements below each of the forest nodes $keys, in order of time: one
//   row: `rows`, a list of [node, list of [rank, row as messages_by_key, leaf, tree, view,
//   position]].
// Index: forest_node_key_unique, then CHILD down to level 1 and PLACED backwards; every node on
//   the way and every message is checked. Leaves that end before the page begins are not opened.
UNWIND $keys AS key
MATCH (n:ForestNode {key: key})
WHERE n.workspace = $workspace AND n.audience IN $audiences
CALL (n) {
  MATCH (n) (()-[:CHILD]->(c:ForestNode
             WHERE c.workspace = $workspace AND c.audience IN $audiences)){0,16} (l:ForestNode)
  WHERE l.level = 1 AND ($after_key IS NULL OR l.span_to >= $after_at)
  MATCH (l)<-[p:PLACED]-(m:Message)
  WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
  WITH l, p, m, m.at.epochSeconds * 1000000 + m.at.microsecond AS rank
  WHERE $after_key IS NULL OR rank > $after_rank OR (rank = $after_rank AND m.key > $after_key)
  WITH l, p, m, rank ORDER BY rank, m.key LIMIT $limit
  RETURN collect([rank, [m.key, m.channel, m.audience, m.author, m.author_name, m.channel_name,
                       m.source_id, m.source_ts, m.at, m.text, m.raw, m.thread, m.reply_to,
                       m.revision, m.identifiers, m.files, m.link], l.key, l.tree, l.view, p.position]) AS found
}
RETURN collect([n.key, found]) AS rows
