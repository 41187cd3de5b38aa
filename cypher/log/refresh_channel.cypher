// Returns: one row: how many messages were brought in line with their channel's name and audience.
//   Where the audience is another one, the nodes that hold the messages, those above them and the
//   cards are withdrawn until they are built anew: nobody has the audience "".
// Index: channel_key_unique, then the channel's own messages. At most $limit at once; the caller
//   repeats it until nothing is left.
MATCH (c:Channel {key: $key})<-[:IN]-(m:Message)
WHERE m.channel_name <> $name OR m.audience <> $audience
WITH m LIMIT $limit
SET m.channel_name = $name,
    m.audience = $audience
WITH m
CALL (m) {
  MATCH (m)-[:PLACED]->(leaf:ForestNode)
  WHERE leaf.audience <> $audience
  MATCH (leaf) (()<-[:CHILD]-(:ForestNode)){0,16} (n:ForestNode)
  SET n.audience = '', n.digest = null
  WITH DISTINCT n.tree AS tree
  MATCH (t:Tree {key: tree})-[:ABOUT]->(subject)
  SET t.audience = '', t.digest = null, subject.build_pending = subject.workspace
}
RETURN count(m) AS changed
