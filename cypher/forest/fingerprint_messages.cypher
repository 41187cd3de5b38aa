// Returns: rows: what the forests derived for a live message.
// Index: message_key_unique, by the prefix that the keys of a workspace share.
MATCH (m:Message)
USING INDEX m:Message(key)
WHERE m.key STARTS WITH $prefix AND m.key > $after AND m.live
WITH m ORDER BY m.key LIMIT $limit
RETURN m.key AS key,
       m {.live, .terms, .context_terms, .episode, .encode_pending,
          vector: m.vector IS NOT NULL} AS properties,
       [(m)-[:MENTIONS]->(x:Artifact) | x.key] AS artifacts,
       [(m)-[r:SAME_IDENTIFIER]->(p) | [r.identifier, p.key]] AS bridges
