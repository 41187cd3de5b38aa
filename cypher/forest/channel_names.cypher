// Returns: one row: `items`, a list of [key, source id, name, audience, purpose, topic,
//   reading, built name, identifiers, counts, renames] of all channels of the workspace.
// Index: channel_key_unique, by the prefix that the keys of a workspace share.
MATCH (c:Channel)
WHERE c.key STARTS WITH $prefix
RETURN collect([c.key, c.source_id, c.name, c.audience, c.purpose, c.topic, c.built_reading,
                c.built_name, c.identifiers, c.identifier_counts, c.renames]) AS items
