// Returns: nothing. Stores vectors of messages that are still live.
// Index: message_key_unique.
UNWIND $rows AS row
MATCH (m:Message {key: row[0]})
WHERE m.live
SET m.vector = row[1], m.encode_pending = null
