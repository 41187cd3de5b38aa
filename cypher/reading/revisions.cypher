// Returns: the entries of each of the messages $keys, the newest first, at most $limit: one row:
//   `rows`, a list of [message, list of [key, revision, kind, text]]. What was deleted has no
//   text: neither the deletion nor any entry before it.
// Index: message_key_unique, then SUPERSEDES. Only for messages that are visible and current.
UNWIND $keys AS key
MATCH (m:Message {key: key})
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
CALL (m) {
  MATCH path = (m)-[:SUPERSEDES]->{0,1000}(e:Message)
  WHERE e.workspace = $workspace AND e.audience IN $audiences
  WITH e, any(n IN nodes(path) WHERE n.kind = 'tombstone') AS gone
  ORDER BY length(path) LIMIT $limit
  RETURN collect([e.key, e.revision, e.kind, CASE WHEN gone THEN null ELSE e.text END]) AS found
}
RETURN collect([m.key, found]) AS rows
