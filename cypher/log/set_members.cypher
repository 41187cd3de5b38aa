// Returns: nothing. Makes the members of each channel those listed, no more and no fewer.
// Index: channel_key_unique, actor_key_unique.
UNWIND $rows AS row
MATCH (c:Channel {key: row.key})
CALL (c, row) {
  MATCH (a:Actor)-[r:MEMBER_OF]->(c)
  WHERE NOT a.key IN row.members
  DELETE r
}
UNWIND row.members AS member
MATCH (a:Actor {key: member})
MERGE (a)-[:MEMBER_OF]->(c)
