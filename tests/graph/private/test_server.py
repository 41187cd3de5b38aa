"""The session's server answers."""

from __future__ import annotations

from neo4j import GraphDatabase

from tests.neo4j_server import Neo4jServer


def test_session_server_answers(neo4j_server: Neo4jServer) -> None:
    auth = (neo4j_server.user, neo4j_server.password)
    with GraphDatabase.driver(neo4j_server.bolt_uri, auth=auth) as driver:
        rows = driver.execute_query("RETURN 1 AS one").records
    assert [row["one"] for row in rows] == [1]
