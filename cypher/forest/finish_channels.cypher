// Returns: nothing. Takes the marks off channels whose trees are up to date.
// Index: channel_key_unique.
UNWIND $built_channels AS row
MATCH (c:Channel {key: row.key})
SET c.building = null, c.built_name = c.name, c.built_reading = row.reading
