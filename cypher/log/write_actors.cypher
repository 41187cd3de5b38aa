// Returns: nothing. Writes descriptions that changed; `renamed` ones are marked for a refresh of
//   what is copied from them, so that an interrupted one goes on at the next ingest.
// Index: actor_key_unique.
UNWIND $rows AS row
MERGE (a:Actor {key: row.key})
SET a += row.set
