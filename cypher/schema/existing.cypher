// Returns: one row per index that is there: name, state, type, dimension of a vector index
//   (else null), properties.
// Index: none; the index catalogue. A constraint's index carries the constraint's name.
SHOW INDEXES YIELD name, state, type, properties, options
RETURN name, state, type, properties, options.indexConfig['vector.dimensions'] AS dimension
