// Returns: nothing. An actor who is called otherwise since the last build appears by name in the
//   trees of other subjects: every channel they wrote in or were addressed in is built anew.
// Index: actor_build_pending.
MATCH (a:Actor {build_pending: $workspace})
WHERE a.built_name <> a.name
MATCH (a)<-[:BY|MENTIONS]-(:Message)-[:IN]->(c:Channel)
WITH DISTINCT c
SET c.build_pending = $workspace, c.built_name = null
