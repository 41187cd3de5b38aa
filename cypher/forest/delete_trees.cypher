// Returns: nothing. Deletes trees whose subject has no message left for their audience. Their
//   nodes were deleted before.
// Index: tree_key_unique.
UNWIND $keys AS key
MATCH (t:Tree {key: key})
DETACH DELETE t
