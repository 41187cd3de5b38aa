// Returns: one row: the properties of those of the channels asked for that exist, each with the
//   keys of its members.
// Index: channel_key_unique.
UNWIND $keys AS key
MATCH (c:Channel {key: key})
RETURN collect({
  properties: properties(c),
  members: COLLECT { MATCH (a:Actor)-[:MEMBER_OF]->(c) RETURN a.key }
}) AS nodes
