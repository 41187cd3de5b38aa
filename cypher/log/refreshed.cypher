// Returns: nothing. Clears the mark of a finished refresh.
// Index: actor_key_unique, channel_key_unique. One of the two does not exist.
OPTIONAL MATCH (a:Actor {key: $key})
OPTIONAL MATCH (c:Channel {key: $key})
SET a.refresh_pending = null, c.refresh_pending = null
