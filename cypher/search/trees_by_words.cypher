// Trees whose name, aliases or card hold words of the question: one row, `hits` holds
// [key, view, subject, audience, name, aliases, score] by falling score. Full-text index tree_text;
// workspace, audiences and views are required clauses of $query. Workspace and audience are
// compared once more as whole strings, because the index sees tokens.
CALL db.index.fulltext.queryNodes('tree_text', $query, {limit: $limit}) YIELD node, score
WITH node, score
WHERE node.workspace = $workspace AND node.audience IN $audiences
RETURN collect([node.key, node.view, node.subject, node.audience, node.name, node.aliases, score])
       AS hits
