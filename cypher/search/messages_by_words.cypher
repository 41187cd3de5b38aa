// Returns: the best messages by their words and their neighbours' words, for each of $searches
//   ({number, query, limit, since, until}): one row, `hits` holds [number, [[key, score, episode,
//   author, stamp, [its leaves in the other views]] by falling score]].
//   Packed into one row, because rows cost more than the search; the episode is the leaf in the
//   channel's tree, and keys say which view and tree a leaf belongs to, so no more is sent.
// Index: message_text; workspace, audiences and times are required clauses of each query.
//   Workspace and audience are compared once more as whole strings, because the index sees tokens,
//   and times exactly, because it sees milliseconds.
UNWIND $searches AS search
CALL (search) {
  CALL db.index.fulltext.queryNodes('message_text', search.query, {limit: search.limit})
  YIELD node, score
  WITH node, score
  WHERE node.workspace = $workspace AND node.audience IN $audiences AND node.live
    AND (search.since IS NULL OR node.at >= search.since)
    AND (search.until IS NULL OR node.at < search.until)
  RETURN collect([node.key, score, node.episode, node.author, node.stamp,
                  [(node)-[p:PLACED]->(n) WHERE p.view <> 'channel'
                   AND n.workspace = $workspace AND n.audience IN $audiences | n.key]]) AS found
}
RETURN collect([search.number, found]) AS hits
