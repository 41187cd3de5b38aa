// Returns: the visible trees of the subjects $subjects: one row, `hits` holds [key, view,
//   subject, audience, name, aliases, size, 1.0].
// Index: tree_subject_audience (range).
UNWIND $subjects AS subject
MATCH (t:Tree)
WHERE t.subject = subject AND t.audience IN $audiences AND t.workspace = $workspace
RETURN collect([t.key, t.view, t.subject, t.audience, t.name, t.aliases,
                t.size, 1.0]) AS hits
