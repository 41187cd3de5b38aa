// Returns: nothing. Writes descriptions that changed.
// Index: channel_key_unique.
UNWIND $rows AS row
MERGE (c:Channel {key: row.key})
SET c += row.set
