// Returns: one row: each entry of the messages asked for as a list of base, key, revision,
//   content, live, thread, reply_to, link. A row of its own for each would cost tenfold.
// Index: message_key_unique, twice: the entry as first posted, and the range of its revisions.
UNWIND $bases AS base
CALL (base) {
  MATCH (m:Message {key: base})
  RETURN m
  UNION ALL
  MATCH (m:Message)
  WHERE m.key STARTS WITH base + '~'
  RETURN m
}
RETURN collect([
  base, m.key, m.revision, m.content, m.live, m.thread, m.reply_to, m.link
]) AS entries
