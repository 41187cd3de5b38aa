// Returns: one row for the token of that id, none if there is none: its properties. The first
//   time of revoking stays.
// Index: access_token_token_id_unique.
MATCH (t:AccessToken {token_id: $token_id})
SET t.revoked_at = coalesce(t.revoked_at, $at)
RETURN properties(t) AS token
