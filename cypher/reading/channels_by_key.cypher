// Returns: those of the channels $keys that are visible: one row: `rows`, a list of
//   [properties, size, first, last].
// Index: channel_key_unique, tree_subject_audience.
UNWIND $keys AS key
MATCH (c:Channel {key: key})
WHERE c.workspace = $workspace AND c.audience IN $audiences
OPTIONAL MATCH (t:Tree {subject: c.key, audience: c.audience})
RETURN collect([properties(c), coalesce(t.size, 0), t.span_from, t.span_to]) AS rows
