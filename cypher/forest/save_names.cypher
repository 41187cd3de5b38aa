// Returns: nothing. Keeps what channels name, and marks the channels that are read anew by it.
//   One transaction: killed in between, the marks would be missing.
// Index: channel_key_unique.
CALL () {
  UNWIND $rows AS row
  MATCH (c:Channel {key: row.key})
  SET c.identifiers = row.identifiers, c.identifier_counts = row.counts,
      c.renames = row.renames
}
UNWIND $stale AS key
MATCH (c:Channel {key: key})
SET c.building = c.workspace
