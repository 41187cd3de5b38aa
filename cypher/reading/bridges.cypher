// Returns: the bridges of each of the messages $keys, in both directions: one row: `rows`, a list
//   of [message, list of [kind, identifier, whether it leads from the message, key of the other
//   end]], at most $limit of each message, replies first, then by time.
// Index: message_key_unique, then REPLIES_TO and SAME_IDENTIFIER. The other end is checked: a
//   bridge from a private message leads to a public one, and must not be seen from there.
UNWIND $keys AS key
MATCH (m:Message {key: key})
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
CALL (m) {
  MATCH (m)-[r:REPLIES_TO|SAME_IDENTIFIER]-(o:Message)
  WHERE o.workspace = $workspace AND o.audience IN $audiences AND o.live
    AND ($kinds IS NULL OR type(r) IN $kinds)
  WITH r, o, startNode(r) = m AS leads
  ORDER BY type(r), o.stamp, o.key, r.identifier LIMIT $limit
  RETURN collect([type(r), r.identifier, leads, o.key]) AS found
}
RETURN collect([m.key, found]) AS rows
