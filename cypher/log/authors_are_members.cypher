// Returns: nothing. Where no export lists a private channel's members, who wrote there is one.
// Index: actor_key_unique, channel_key_unique.
UNWIND $rows AS row
MATCH (c:Channel {key: row.channel})
UNWIND row.authors AS author
MATCH (a:Actor {key: author})
MERGE (a)-[:MEMBER_OF]->(c)
