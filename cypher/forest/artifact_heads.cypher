// Returns: one row per artifact: the key; `naming`, heads of the live messages that name it;
//   `episodes`, the channel episodes around them, each a list of heads in order; `bridges`, the
//   stored SAME_IDENTIFIER bridges of the identifier as [later, earlier].
// Index: artifact_key_unique.
// Only where `around` is set: what is said around a project's or a link's mention is not about it.
UNWIND $rows AS row
MATCH (x:Artifact {key: row.key})
CALL (x) {
  MATCH (x)<-[:MENTIONS]-(m:Message)
  WHERE m.live
  RETURN collect(m) AS said
}
CALL (said) {
  UNWIND said AS m
  RETURN collect([
    m.key, m.channel, m.audience, m.author, m.source_id, m.at.epochMillis, m.thread, null,
    m.mentions, m.identifiers, m.identifier_titles,
    [(m)-[:MENTIONS]->(y:Artifact) | y.key], true
  ]) AS naming
}
CALL (row, said) {
  WITH said WHERE row.around
  UNWIND said AS n
  MATCH (n)-[:PLACED {view: 'channel'}]->(leaf:ForestNode)
  WITH DISTINCT leaf
  MATCH (leaf)<-[p:PLACED]-(m:Message)
  WHERE m.live
  WITH leaf, p, m ORDER BY p.position
  WITH leaf, collect([
    m.key, m.channel, m.audience, m.author, m.source_id, m.at.epochMillis, m.thread, null,
    m.mentions, m.identifiers, m.identifier_titles,
    [(m)-[:MENTIONS]->(y:Artifact) | y.key], true
  ]) AS heads
  RETURN collect(heads) AS episodes
}
CALL (x, said) {
  UNWIND said AS m
  MATCH (m)-[r:SAME_IDENTIFIER {identifier: x.kind + ':' + x.identifier}]->(p:Message)
  RETURN collect([m.key, p.key]) AS bridges
}
RETURN row.key AS key, naming, episodes, bridges
