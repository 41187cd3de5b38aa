// Returns: nothing. Writes who this graph's vectors come from.
// Index: installation_key_unique. MERGE on the unique key: two processes that start at once
//   make one node.
MERGE (i:Installation {key: $key})
SET i.workspace = '',
    i.schema_version = $schema_version,
    i.model_id = $model_id,
    i.dimension = $dimension,
    i.document_prompt = $document_prompt,
    i.query_prompt = $query_prompt,
    i.reencoding = $reencoding
