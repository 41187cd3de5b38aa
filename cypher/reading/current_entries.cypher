// Returns: the visible current entries of the messages that $keys are entries of: one row: `rows`,
//   a list of [entry asked for, key of the current one].
// Index: message_key_unique, then SUPERSEDES backwards: a citation outlives an edit.
UNWIND $keys AS key
MATCH (e:Message {key: key})
WHERE e.workspace = $workspace AND e.audience IN $audiences
MATCH (e) (()<-[:SUPERSEDES]-(:Message)){0,1000} (m:Message)
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
RETURN collect([e.key, m.key]) AS rows
