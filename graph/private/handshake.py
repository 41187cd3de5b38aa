"""Waiting until a started server answers an authenticated query."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import LiteralString

from ..errors import PrivateNeo4jError
from . import ports
from .artifacts import server_version
from .config import HOST
from .diagnosis import broken_database_failure, start_failure, with_printed
from .layout import Layout
from .storage import disk_is_full

USER = "neo4j"
DATABASE = "neo4j"
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 0.5
_CONNECTION_TIMEOUT_S = 10.0


class PasswordRefusedError(Exception):
    """The server answers, but the stored password is not its own."""


class ServerEndedError(Exception):
    """The process ended before it answered."""


def await_server(
    layout: Layout,
    *,
    bolt_port: int,
    http_port: int,
    password: str,
    alive: Callable[[], bool],
    timeout_s: float,
) -> None:
    """Return once the server answers on both ports and runs a query.

    Raises:
        ServerEndedError: the process ended meanwhile.
        PasswordRefusedError: the server has another password.
        PrivateNeo4jError: the database is broken, or `timeout_s` went by.
    """
    deadline = time.monotonic() + timeout_s
    pause_s = _FIRST_PAUSE_S
    last = "no connection was accepted"
    while time.monotonic() < deadline:
        if not alive():
            raise ServerEndedError
        if disk_is_full(layout.home):
            raise start_failure(layout, server_version(), "No space left on device")
        if ports.answers(bolt_port) and ports.answers(http_port):
            problem = _query_problem(bolt_port, password)
            if problem is None:
                return
            broken = broken_database(bolt_port, password)
            if broken:
                raise broken_database_failure(layout, server_version(), broken)
            last = problem
        time.sleep(pause_s)
        pause_s = min(pause_s * 1.5, _LONGEST_PAUSE_S)
    error = PrivateNeo4jError(
        f"Neo4j did not answer within {timeout_s:.0f} seconds: {last}.",
        f"See `egcforest neo4j logs`, or {layout.logs_dir}.",
    )
    raise with_printed(error, layout)


def run_query(
    bolt_port: int, password: str, query: LiteralString, database: str
) -> list[dict[str, object]]:
    """Run one query with a driver of its own."""
    from neo4j import GraphDatabase

    with GraphDatabase.driver(
        f"bolt://{HOST}:{bolt_port}",
        auth=(USER, password),
        connection_timeout=_CONNECTION_TIMEOUT_S,
        max_transaction_retry_time=0,
    ) as driver:
        found = driver.execute_query(query, database_=database)
        return [record.data() for record in found.records]


def _query_problem(bolt_port: int, password: str) -> str | None:
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    try:
        run_query(bolt_port, password, "RETURN 1", DATABASE)
    except AuthError as error:
        raise PasswordRefusedError from error
    except (Neo4jError, DriverError) as error:
        return str(getattr(error, "message", None) or error).strip().rstrip(".")
    return None


def broken_database(bolt_port: int, password: str) -> str | None:
    """Why the database could not be opened, in Neo4j's words; None if it is well."""
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        rows = run_query(
            bolt_port,
            password,
            "SHOW DATABASE neo4j YIELD currentStatus, requestedStatus, statusMessage",
            "system",
        )
    except (Neo4jError, DriverError):
        return None
    for row in rows:
        if row["statusMessage"] and row["currentStatus"] != "online":
            return str(row["statusMessage"])
    return None
