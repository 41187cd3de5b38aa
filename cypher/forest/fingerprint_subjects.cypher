// Returns: rows: the artifacts, and the marks of channels and actors that wait to be built.
// Index: artifact_key_unique, channel_key_unique, actor_key_unique, by prefix.
CALL () {
  MATCH (n:Artifact)
  USING INDEX n:Artifact(key)
  WHERE n.key STARTS WITH $prefix
  RETURN n
  UNION ALL
  MATCH (n:Channel)
  USING INDEX n:Channel(key)
  WHERE n.key STARTS WITH $prefix
  RETURN n
  UNION ALL
  MATCH (n:Actor)
  USING INDEX n:Actor(key)
  WHERE n.key STARTS WITH $prefix
  RETURN n
}
WITH n WHERE n.key > $after
WITH n ORDER BY n.key LIMIT $limit
RETURN n.key AS key,
       n {.kind, .identifier, .build_pending, .building, .built_name, .built_reading,
          .identifiers, .identifier_counts, .renames} AS properties
