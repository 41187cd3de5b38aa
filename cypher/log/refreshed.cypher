// Returns: nothing. Clears the mark of a finished refresh. What was built of a channel meanwhile
//   lacks the messages that still followed: it is built anew, with all that it touches.
// Index: actor_key_unique, channel_key_unique. One of the two does not exist.
OPTIONAL MATCH (a:Actor {key: $key})
OPTIONAL MATCH (c:Channel {key: $key})
SET a.refresh_pending = null, c.refresh_pending = null,
    c.build_pending = c.workspace, c.built_name = null
