// Returns: one row per message that has entries: base, and its entries as lists of key,
//   revision, content, live, thread, reply_to, link.
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
RETURN base,
       collect([m.key, m.revision, m.content, m.live, m.thread, m.reply_to, m.link]) AS entries
