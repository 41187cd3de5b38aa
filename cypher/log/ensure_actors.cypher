// Returns: one row: key and name of each actor.
// Index: actor_key_unique. MERGE on the unique key; an author whom nobody has described becomes
//   a placeholder called by its id, so that no message is without an author.
UNWIND $rows AS row
MERGE (a:Actor {key: row.key})
ON CREATE SET a.workspace = $workspace, a.source_id = row.source_id, a.name = row.source_id,
              a.placeholder = true
RETURN collect([a.key, a.name]) AS names
