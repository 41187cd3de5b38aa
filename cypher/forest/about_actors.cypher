// Returns: nothing. Relates new trees to the actors they are about.
// Index: tree_key_unique, actor_key_unique.
UNWIND $about_actors AS row
MATCH (t:Tree {key: row.key})
MATCH (s:Actor {key: row.subject})
MERGE (t)-[:ABOUT]->(s)
