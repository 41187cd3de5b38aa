// Returns: bridges from the messages $keys, in both directions: one row, `hits` holds [source,
//   target, kind, identifier, episode of the target], at most $limit for each source: replies
//   first, then by time.
// Index: message_key_unique, then REPLIES_TO and SAME_IDENTIFIER. The message at the other end is
//   checked against the scope and the times: a bridge from a private message leads to a public one,
//   and must not be walked backwards by who may not see it.
UNWIND $keys AS key
MATCH (m:Message {key: key})
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
CALL (m) {
  MATCH (m)-[r:REPLIES_TO|SAME_IDENTIFIER]-(o:Message)
  WHERE o.workspace = $workspace AND o.audience IN $audiences AND o.live
    AND ($since IS NULL OR o.at >= $since)
    AND ($until IS NULL OR o.at < $until)
  WITH r, o ORDER BY type(r), o.stamp, o.key LIMIT $limit
  RETURN collect([m.key, o.key, type(r), coalesce(r.identifier, ''), o.episode]) AS found
}
RETURN reduce(hits = [], part IN collect(found) | hits + part) AS hits
