"""A private Neo4j that comes from pip and Maven artifacts alone."""
