// Returns: one row: `items`, a list of episodes with messages to encode, each a list of
//   [key, author name, text, files, source id, thread, whether it is to be encoded] in order.
// Index: message_encode_pending.
MATCH (m:Message {encode_pending: $workspace})
USING INDEX m:Message(encode_pending)
WHERE m.episode IS NOT NULL
WITH DISTINCT m.episode AS episode LIMIT $limit
MATCH (n:ForestNode {key: episode})<-[p:PLACED]-(o:Message)
WITH episode, o ORDER BY p.position
WITH episode, collect([o.key, o.author_name, o.text, o.files, o.source_id, o.thread,
                            o.encode_pending IS NOT NULL])
     AS messages
RETURN collect(messages) AS items
