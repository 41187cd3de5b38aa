// Returns: one row: how many messages were brought in line with their channel's name and audience.
// Index: channel_key_unique, then the channel's own messages. At most $limit at once; the caller
//   repeats it until nothing is left.
MATCH (c:Channel {key: $key})<-[:IN]-(m:Message)
WHERE m.channel_name <> c.name OR m.audience <> c.audience
WITH c, m LIMIT $limit
SET m.channel_name = c.name,
    m.audience = c.audience
RETURN count(m) AS changed
