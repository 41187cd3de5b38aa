// Returns: one row: the keys of the channels that go by one of the $names or keys in lower case
//   and that the asker may see, with those names, as a list of [key, name, id].
// Index: channel_key_unique, the range of the workspace's channels: names are compared without
//   case, which no range index does.
MATCH (c:Channel)
WHERE c.key STARTS WITH $prefix
  AND c.audience IN $audiences
  AND (toLower(c.name) IN $names OR toLower(c.key) IN $names OR toLower(c.source_id) IN $names)
RETURN collect([c.key, toLower(c.name), toLower(c.source_id)]) AS found
