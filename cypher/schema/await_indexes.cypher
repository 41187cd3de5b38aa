// Returns: nothing, once every index of the database is online; fails where one failed.
// Index: none; the procedure waits inside the server, so nobody polls or sleeps.
CALL db.awaitIndexes($timeout_s)
