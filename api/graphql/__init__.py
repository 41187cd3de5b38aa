"""The GraphQL schema and what protects it."""
