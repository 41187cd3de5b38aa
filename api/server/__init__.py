"""The HTTP application around the schema, and its operation."""
