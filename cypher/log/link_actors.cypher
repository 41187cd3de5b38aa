// Returns: nothing. Links new entries to their authors, and live ones to whom they address.
// Index: actor_key_unique, message_key_unique.
// One row per actor, sorted by key: a new relationship locks its actor, and many transactions
//   meet at the same actors. All take these locks last and in one order, so they wait for each
//   other at most, and cannot deadlock.
UNWIND $rows AS row
MATCH (a:Actor {key: row.key})
CALL (a, row) {
  UNWIND row.by AS key
  MATCH (m:Message {key: key})
  CREATE (m)-[:BY]->(a)
}
CALL (a, row) {
  UNWIND row.mentioned AS key
  MATCH (m:Message {key: key})
  CREATE (m)-[:MENTIONS]->(a)
}
