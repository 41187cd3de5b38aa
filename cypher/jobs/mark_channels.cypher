// Returns: one row: how many of the channels are there. Marks them for being built anew, and with
//   them whatever their messages belong to.
// Index: channel_key_unique.
UNWIND $channels AS key
MATCH (c:Channel {key: key})
WHERE c.workspace = $workspace
SET c.build_pending = $workspace, c.built_name = null
RETURN count(*) AS marked
