// Returns: one row: for each channel that exists, its key, name, audience, whether its authors are
//   to become its members because no export listed them, and who brought it.
// Index: channel_key_unique.
// The name is set to itself: that takes the channel's lock and writes nothing. Whoever appends
//   holds it until commit, so two ingests cannot both believe that an entry is the newest.
//   Keys come sorted, so that two batches over the same channels cannot deadlock.
UNWIND $channels AS key
MATCH (c:Channel {key: key})
SET c.name = c.name
RETURN collect({
  key: c.key,
  name: c.name,
  audience: c.audience,
  authors_are_members: c.kind <> 'public' AND NOT coalesce(c.members_listed, false),
  introduced_by: c.introduced_by
}) AS channels
