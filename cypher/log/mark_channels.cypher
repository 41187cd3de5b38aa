// Returns: nothing. Marks channels whose forests have gone stale.
// Index: channel_key_unique.
UNWIND $channels AS key
MATCH (c:Channel {key: key})
SET c.build_pending = c.workspace
