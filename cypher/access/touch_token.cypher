// Returns: nothing. Notes that the token was in use, never an earlier time than is noted.
// Index: access_token_token_id_unique.
MATCH (t:AccessToken {token_id: $token_id})
WHERE coalesce(t.last_used_at < $at, true)
SET t.last_used_at = $at
