// Returns: nothing. Gives messages their episode and the terms of their neighbours in it. One
//   whose neighbours changed is to be encoded again: they are part of what is encoded.
// Index: message_key_unique.
UNWIND $rows AS row
MATCH (m:Message {key: row[0]})
WHERE m.live
SET m.encode_pending = CASE WHEN m.vector IS NULL OR coalesce(m.context_terms, '') <> row[2]
                            THEN m.workspace ELSE m.encode_pending END,
    m.episode = row[1],
    m.context_terms = row[2]
