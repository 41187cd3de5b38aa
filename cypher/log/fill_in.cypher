// Returns: nothing. Adds what a later export knew of an entry whose content is the same. Nothing
//   that is there is overwritten.
// Index: message_key_unique.
UNWIND $rows AS row
MATCH (m:Message {key: row.key})
SET m.thread = coalesce(m.thread, row.thread),
    m.reply_to = coalesce(m.reply_to, row.reply_to),
    m.link = coalesce(m.link, row.link)
