// Returns: nothing. Links live messages to the channels they name, as far as these are known.
// Index: message_key_unique, channel_key_unique.
UNWIND $rows AS row
MATCH (m:Message {key: row.key})
UNWIND row.targets AS target
MATCH (c:Channel {key: target})
MERGE (m)-[:MENTIONS]->(c)
