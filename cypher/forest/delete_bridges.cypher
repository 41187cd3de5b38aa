// Returns: nothing. Deletes SAME_IDENTIFIER bridges, given as [identifier, later, earlier].
// Index: message_key_unique.
UNWIND $rows AS row
MATCH (m:Message {key: row[1]})-[r:SAME_IDENTIFIER {identifier: row[0]}]->(:Message {key: row[2]})
DELETE r
