// Returns: nothing. Withdraws the trees that hold messages of channels whose audience changes, with
//   their cards and everything below them, until they are built anew: nobody has the audience "".
//   In the transaction that changes the audience; the messages and nodes follow in batches, and
//   until then no message is shown that its channel hides (`search/message_texts`).
// Index: channel_key_unique, then the channels' own messages; tree_key_unique.
UNWIND $rows AS row
MATCH (c:Channel {key: row.key})<-[:IN]-(:Message)-[:PLACED]->(leaf:ForestNode)
WHERE leaf.audience <> row.audience
WITH DISTINCT leaf.tree AS tree
MATCH (t:Tree {key: tree})-[:ABOUT]->(subject)
SET t.audience = '', t.digest = null, subject.build_pending = subject.workspace
