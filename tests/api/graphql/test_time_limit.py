"""The time limit ends the work in the database, not only the waiting for it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.store import READ_TIMEOUT_S
from tests.api.graphql.endless import endless
from tests.api.server.sockets import signed_in
from tests.api.serving import Api, serving

# Less than what the database itself allows a reading transaction, so that it was not that.
SOON_S = READ_TIMEOUT_S / 2
QUERY = "{ statistics { messages } }"


def until(holds: Callable[[], bool], within_s: float) -> None:
    deadline = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def works(
    connection: ConnectionConfig, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], bool]]:
    """Counting messages takes the database for ever; says whether it is at it."""
    returned = "null AS first, null AS last, 0 AS channels, 0 AS actors"
    with endless(connection, monkeypatch, "reading/message_count", returned) as running:
        yield lambda: running() > 0


def test_the_time_limit_ends_the_transaction(
    api: Api, connection: ConnectionConfig, works: Callable[[], bool]
) -> None:
    with (
        serving(connection, api.workspace, serve_timeout_s=8.0) as running,
        ThreadPoolExecutor(1) as threads,
    ):
        token = running.token()
        asked = threads.submit(running.query, QUERY, token)
        until(works, SOON_S)
        (error,) = asked.result(60)["errors"]
        assert error["extensions"]["code"] == "TIMEOUT"
        until(lambda: not works(), SOON_S)
        assert running.query("{ workspace { name } }", token)["data"]["workspace"]


def test_a_websocket_that_ends_an_operation_ends_its_transaction(
    api: Api, connection: ConnectionConfig, works: Callable[[], bool]
) -> None:
    with (
        serving(connection, api.workspace, serve_timeout_s=600.0) as running,
        signed_in(running.url, running.token()) as socket,
    ):
        socket.send(json.dumps({"type": "subscribe", "id": "1", "payload": {"query": QUERY}}))
        until(works, SOON_S)
        socket.send(json.dumps({"type": "complete", "id": "1"}))
        until(lambda: not works(), SOON_S)
