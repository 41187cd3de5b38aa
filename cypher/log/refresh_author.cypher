// Returns: one row: how many messages were brought in line with their author's name.
// Index: actor_key_unique, then the actor's own messages. At most $limit at once; the caller
//   repeats it until nothing is left.
MATCH (a:Actor {key: $key})<-[:BY]-(m:Message)
WHERE m.author_name <> a.name
WITH a, m LIMIT $limit
MATCH (m)-[:IN]->(c:Channel)
SET m.caption = left(a.name + substring(m.caption, size(m.author_name)), 60),
    m.author_name = a.name,
    m.encode_pending = CASE WHEN m.live THEN m.workspace END,
    c.build_pending = c.workspace
RETURN count(m) AS changed
