// Returns: one row: the installation's properties (null before the first start) and how many
//   messages there are.
// Index: installation_key_unique. The number comes from the count store, so nothing is scanned.
OPTIONAL MATCH (i:Installation {key: $key})
CALL () { MATCH (m:Message) RETURN count(m) AS messages }
RETURN properties(i) AS installation, messages
