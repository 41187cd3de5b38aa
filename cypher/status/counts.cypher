// Returns: one row: how many nodes of each label the workspace has, and how many wait for work
//   or were being worked on when a build broke off.
// Index: the keys' constraints (range of the workspace), and the indexes on the pending marks.
RETURN COUNT { MATCH (n:Channel) WHERE n.key STARTS WITH $prefix } AS channels,
       COUNT { MATCH (n:Actor) WHERE n.key STARTS WITH $prefix } AS actors,
       COUNT { MATCH (n:Artifact) WHERE n.key STARTS WITH $prefix } AS artifacts,
       COUNT { MATCH (n:Message) WHERE n.key STARTS WITH $prefix } AS entries,
       COUNT { MATCH (n:Message) WHERE n.key STARTS WITH $prefix AND n.live } AS messages,
       COUNT { MATCH (n:Tree) WHERE n.key STARTS WITH $prefix } AS trees,
       COUNT { MATCH (n:ForestNode) WHERE n.key STARTS WITH $prefix } AS nodes,
       COUNT { MATCH (n:Channel) WHERE n.build_pending = $workspace }
         + COUNT { MATCH (n:Channel) WHERE n.building = $workspace AND n.build_pending IS NULL } AS pending_channels,
       COUNT { MATCH (n:Actor) WHERE n.build_pending = $workspace }
         + COUNT { MATCH (n:Actor) WHERE n.building = $workspace AND n.build_pending IS NULL } AS pending_actors,
       COUNT { MATCH (n:Artifact) WHERE n.build_pending = $workspace }
         + COUNT { MATCH (n:Artifact) WHERE n.building = $workspace AND n.build_pending IS NULL } AS pending_artifacts,
       COUNT { MATCH (n:Message) WHERE n.encode_pending = $workspace }
         + COUNT { MATCH (n:ForestNode) WHERE n.encode_pending = $workspace } AS pending_vectors
