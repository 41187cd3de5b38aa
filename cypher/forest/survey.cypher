// Returns: one row: `channels`, a list of [key, source id, name, audience, purpose, topic, reading,
//   built name, identifiers, counts, renames] of all channels; `actors`, a list of [key, name, real
//   name, title, aliases, is a bot] of at most `limit` actors.
// Index: channel_key_unique, actor_key_unique, by the prefix that the keys of a workspace share.
CALL () {
  MATCH (c:Channel)
  USING INDEX c:Channel(key)
  WHERE c.key STARTS WITH $channel_prefix
  RETURN collect([c.key, c.source_id, c.name, c.audience, c.purpose, c.topic, c.built_reading,
                  c.built_name, c.identifiers, c.identifier_counts, c.renames]) AS channels
}
CALL () {
  MATCH (a:Actor)
  USING INDEX a:Actor(key)
  WHERE a.key STARTS WITH $actor_prefix
  WITH a LIMIT $limit
  RETURN collect([a.key, a.name, a.real_name, a.title, a.aliases, a.is_bot]) AS actors
}
RETURN channels, actors
