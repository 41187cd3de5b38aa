// The time of the latest visible message, null if there is none: one row, `at`. Unique index on
// Tree.key: the keys of all channel trees of a workspace begin alike, and a tree knows its span.
MATCH (t:Tree)
WHERE t.key STARTS WITH $prefix AND t.workspace = $workspace AND t.audience IN $audiences
RETURN max(t.span_to) AS at
