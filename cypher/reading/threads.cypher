// Returns: the threads that the messages $keys belong to: one row: `rows`, a list of [message,
//   channel, thread, key of the visible current root or null, number of visible replies, time of
//   the last]. A message outside of any thread is missing.
// Index: message_key_unique; message_channel_thread for the members, message_key_unique for the
//   root or a revision of it.
UNWIND $rows AS row
MATCH (m:Message {key: row.key})
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
CALL (m) {
  MATCH (r:Message)
  USING INDEX r:Message(channel, thread)
  WHERE r.channel = m.channel AND r.thread = coalesce(m.thread, m.source_id)
    AND r.workspace = $workspace AND r.audience IN $audiences AND r.live
  RETURN count(r) AS replies, max(r.at) AS last
}
CALL (row) {
  MATCH (root:Message {key: row.root})
  WHERE root.workspace = $workspace AND root.audience IN $audiences AND root.live
  RETURN root.key AS root
  UNION
  MATCH (root:Message)
  WHERE root.key STARTS WITH row.root + '~'
    AND root.workspace = $workspace AND root.audience IN $audiences AND root.live
  RETURN root.key AS root
  UNION
  RETURN null AS root
}
WITH m, replies, last, max(root) AS root
WHERE replies > 0
RETURN collect([m.key, m.channel, coalesce(m.thread, m.source_id), root, replies, last]) AS rows
