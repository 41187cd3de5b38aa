"""The systems that are compared, each with one method: rank the messages for a question."""
