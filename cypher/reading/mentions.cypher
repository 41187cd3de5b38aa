// Returns: whom and what each of the messages $keys names: one row: `rows`, a list of [message,
//   list of keys of channels, actors and artifacts], at most $limit of each message. Whether they
//   are visible themselves is for whoever reads them.
// Index: message_key_unique, then MENTIONS.
UNWIND $keys AS key
MATCH (m:Message {key: key})
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
CALL (m) {
  MATCH (m)-[:MENTIONS]->(o:Actor|Channel|Artifact)
  WHERE o.workspace = $workspace
  WITH o ORDER BY o.key LIMIT $limit
  RETURN collect(o.key) AS found
}
RETURN collect([m.key, found]) AS rows
