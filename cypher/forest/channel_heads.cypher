// Returns: one row per channel: its key and `heads`, a list of its live messages as lists (see
//   `TreeStore`), each with text and terms if it stands in no tree yet. Packed into lists because
//   rows are what costs. Messages that still follow a change of the audience are left out.
// And `stored`, the stored trees of the subject as [key, digest, root, [[node, digest], …]].
// Index: tree_subject_audience, forest_node_tree, message_channel_at, channel_key_unique.
UNWIND $keys AS key
CALL (key) {
  MATCH (c:Channel {key: key})
  MATCH (m:Message {channel: key})
  USING INDEX m:Message(channel, at)
  WHERE m.at IS NOT NULL AND m.live AND m.audience = c.audience
  RETURN collect([
    m.key, m.channel, m.audience, m.author, m.source_id, m.at.epochMillis, m.thread,
    CASE WHEN m.reply_to IS NULL THEN null
         ELSE head([(m)-[:REPLIES_TO]->(p) | p.author]) END,
    m.mentions, m.identifiers, m.identifier_titles,
    [(m)-[:MENTIONS]->(x:Artifact) | x.key],
    m.episode,
    CASE WHEN m.episode IS NULL THEN m.text END,
    CASE WHEN m.episode IS NULL THEN m.terms END
  ]) AS heads
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
RETURN key, heads, stored
