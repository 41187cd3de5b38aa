// Returns: nothing. Relates new trees to the channels they are about.
// Index: tree_key_unique, channel_key_unique.
UNWIND $about_channels AS row
MATCH (t:Tree {key: row.key})
MATCH (s:Channel {key: row.subject})
MERGE (t)-[:ABOUT]->(s)
