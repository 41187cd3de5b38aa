// Returns: one row: the last key looked at, null when there was none left.
// Index: message_key_unique, walked in its order from $after on, so that no step looks at what
//   an earlier one has done, however often the walk is interrupted.
MATCH (m:Message)
WHERE m.key > $after
WITH m ORDER BY m.key LIMIT $limit
SET m.vector = null,
    m.encode_pending = CASE WHEN m.live THEN m.workspace END
RETURN max(m.key) AS last
