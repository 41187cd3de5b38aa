// Returns: one row: `items`, a list of [key, messages logged] of the channels to build.
// Index: channel_build_pending, channel_building.
// The mark is moved, not read: what is logged from now on sets it again and is not lost.
CALL () {
  MATCH (c:Channel {build_pending: $workspace})
  SET c.building = $workspace, c.build_pending = null
  RETURN count(*) AS moved
}
MATCH (c:Channel {building: $workspace})
RETURN collect([c.key, COUNT { (c)<-[:IN]-() }]) AS items
