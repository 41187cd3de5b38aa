// Returns: nothing. Links live messages to the actors they address.
// Index: message_key_unique, actor_key_unique.
UNWIND $rows AS row
MATCH (m:Message {key: row.key})
UNWIND row.targets AS target
MATCH (a:Actor {key: target})
MERGE (m)-[:MENTIONS]->(a)
