// Returns: one row: `key`, that of the visible current entry of the message that $key is an entry
//   of; no row if there is none.
// Index: message_key_unique, then SUPERSEDES backwards: a citation outlives an edit.
MATCH (e:Message {key: $key})
WHERE e.workspace = $workspace AND e.audience IN $audiences
MATCH (e) (()<-[:SUPERSEDES]-(:Message)){0,1000} (m:Message)
WHERE m.workspace = $workspace AND m.audience IN $audiences AND m.live
RETURN m.key AS key LIMIT 1
