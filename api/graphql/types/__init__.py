"""The types of the schema. Each wraps what `graph.reading` hands out; nested fields go through
the data loaders of the request."""
