// Returns: nothing. Lays the SUPERSEDES chain of each message anew, since an entry may have
//   arrived between two that were there.
// Index: message_key_unique. `chains` holds keys from the oldest to the newest.
UNWIND $chains AS chain
CALL (chain) {
  UNWIND chain AS key
  MATCH (m:Message {key: key})-[r:SUPERSEDES]->()
  DELETE r
}
UNWIND range(1, size(chain) - 1) AS i
MATCH (newer:Message {key: chain[i]})
MATCH (older:Message {key: chain[i - 1]})
CREATE (newer)-[:SUPERSEDES]->(older)
