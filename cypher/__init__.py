"""Named Cypher texts, one file each; `load` hands them out by name."""
