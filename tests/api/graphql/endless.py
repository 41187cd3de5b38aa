"""A query that the database is at for ever, and how many of it are running."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from neo4j import GraphDatabase

from egcforest import cypher
from egcforest.graph.connection import ConnectionConfig


@contextmanager
def endless(
    connection: ConnectionConfig, monkeypatch: pytest.MonkeyPatch, query: str, returned: str
) -> Iterator[Callable[[], int]]:
    """Make `query`, a named one, take the database for ever, until the context ends.

    Args:
        returned: what it returns beside `number`.

    Yields:
        How many transactions are at it.
    """
    marker = f"endless {uuid.uuid4().hex}"
    text = (
        f"WITH '{marker}' AS marker UNWIND range(1, 10000000) AS a UNWIND range(1, 10000000) AS b "
        f"RETURN sum((a * b) % 7) AS number, {returned}"
    )
    texts = dict(cypher._texts()) | {query: text}
    auth = (connection.user, connection.password)
    with (
        GraphDatabase.driver(connection.uri, auth=auth) as driver,
        monkeypatch.context() as patched,
    ):
        patched.setattr(cypher, "_texts", lambda: texts)

        def running() -> int:
            found = driver.execute_query(
                "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS $marker "
                "RETURN count(*) AS number",
                marker=marker,
            )
            return int(found.records[0]["number"])

        yield running
