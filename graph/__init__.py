"""The property graph: schema, connection, store, records, the private Neo4j."""
