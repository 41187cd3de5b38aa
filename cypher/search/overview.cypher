// Returns: how much there is to see: one row: `since` and `until`, the times of the earliest and
//   the latest visible message (null if there is none), `messages` and `channels`, the numbers
//   visible.
// Index: tree_key_unique: the keys of all channel trees of a workspace begin alike, and a tree
//   knows its span and size.
MATCH (t:Tree)
WHERE t.key STARTS WITH $prefix AND t.workspace = $workspace AND t.audience IN $audiences
RETURN min(t.span_from) AS since, max(t.span_to) AS until, sum(t.size) AS messages, count(*) AS channels
