// Returns: nothing. Makes the plain full-text index that the documentation of neo4j-graphrag
//   makes: the text itself, with Neo4j's own default analyzer. Only the benchmark has it.
// Index: none; the index catalogue.
CREATE FULLTEXT INDEX bench_message_text IF NOT EXISTS FOR (m:Message) ON EACH [m.text]
