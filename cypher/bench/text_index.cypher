// The plain full-text index that neo4j-graphrag's documentation makes: the text itself, with
// Neo4j's own default analyzer. Only the benchmark has it, for the HybridRetriever.
CREATE FULLTEXT INDEX bench_message_text IF NOT EXISTS FOR (m:Message) ON EACH [m.text]
