// Returns: one row: name, versions and edition of the kernel.
// Index: none; a procedure.
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN name, versions, edition
