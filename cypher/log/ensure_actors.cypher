// Returns: one row per key: key and name of the actor.
// Index: actor_key_unique. MERGE on the unique key; an author whom nobody has described becomes
//   a placeholder called by its id, so that no message is without an author.
UNWIND $rows AS row
MERGE (a:Actor {key: row.key})
ON CREATE SET a.workspace = $workspace, a.source_id = row.source_id, a.name = row.source_id,
              a.placeholder = true
RETURN a.key AS key, a.name AS name
