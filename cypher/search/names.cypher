// Returns: whom a question may name, and how much there is to see, in one round trip. One row:
//   `hits`, the trees whose name, aliases or card hold words of the question as [key, view,
//   subject, audience, name, aliases, size, score], by falling score within each of $queries;
//   `since` and `until`, the times of the earliest and the latest visible message (null if there
//   is none); `messages` and `channels`, the numbers visible.
// Index: tree_text; workspace, audiences and the view are required clauses of each query.
//   Workspace and audience are compared once more as whole strings, because the index sees tokens.
//   Several queries, each with its own limit, so that no view crowds out another.
//   tree_key_unique for the numbers: the keys of all channel trees of a workspace begin alike, and
//   a tree knows its span and size.
CALL () {
  MATCH (t:Tree)
  WHERE t.key STARTS WITH $prefix AND t.workspace = $workspace AND t.audience IN $audiences
  RETURN min(t.span_from) AS since, max(t.span_to) AS until, sum(t.size) AS messages,
         count(*) AS channels
}
CALL () {
  UNWIND $queries AS query
  CALL (query) {
    CALL db.index.fulltext.queryNodes('tree_text', query, {limit: $limit}) YIELD node, score
    WITH node, score
    WHERE node.workspace = $workspace AND node.audience IN $audiences
    RETURN collect([node.key, node.view, node.subject, node.audience, node.name, node.aliases,
                    node.size, score]) AS found
  }
  RETURN reduce(hits = [], part IN collect(found) | hits + part) AS hits
}
RETURN hits, since, until, messages, channels
