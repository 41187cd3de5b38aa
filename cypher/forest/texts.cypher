// Returns: one row: `items`, a list of [key, text, terms].
// Index: message_key_unique.
UNWIND $keys AS key
MATCH (m:Message {key: key})
RETURN collect([key, m.text, m.terms]) AS items
