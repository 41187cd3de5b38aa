// Returns: one row per channel that exists: key, name, audience, and whether its authors are to
//   become its members because no export listed them.
// Index: channel_key_unique.
// The name is set to itself: that takes the channel's lock and writes nothing. Whoever appends
//   holds it until commit, so two ingests cannot both believe that an entry is the newest.
//   Keys come sorted, so that two batches over the same channels cannot deadlock.
UNWIND $channels AS key
MATCH (c:Channel {key: key})
SET c.name = c.name
RETURN c.key AS key, c.name AS name, c.audience AS audience,
       c.kind <> 'public' AND NOT coalesce(c.members_listed, false) AS authors_are_members
