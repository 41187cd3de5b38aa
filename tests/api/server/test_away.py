"""What an orchestrator hears when the database goes away and comes back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest

from egcforest.api.server.health import DATABASE_TIMEOUT_S
from egcforest.graph.connection import ConnectionConfig
from tests.api.serving import Api, serving
from tests.bolt_proxy import BoltProxy, proxy_in_thread
from tests.neo4j_server import Neo4jServer

# On a machine that does much else.
PATIENCE_S = 60.0


def awaited(client: httpx.Client, status: int) -> httpx.Response:
    """The first answer of /readyz with that status; each has to come in time."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        began = time.monotonic()
        answer = client.get("/readyz")
        # Compose and Kubernetes give up on a probe that says nothing.
        assert time.monotonic() - began < DATABASE_TIMEOUT_S + 10
        if answer.status_code == status:
            return answer
        assert time.monotonic() < deadline, answer.text
        # An answer about the database is believed for a second.
        time.sleep(0.1)


@pytest.mark.parametrize("goes_away", [BoltProxy.close_at_once, BoltProxy.freeze])
def test_the_service_is_not_ready_while_the_database_is_away(
    api: Api,
    connection: ConnectionConfig,
    neo4j_server: Neo4jServer,
    goes_away: Callable[[BoltProxy], None],
) -> None:
    """Away as a process that ended, and as a host that hangs."""
    with (
        proxy_in_thread(neo4j_server.bolt_uri) as proxy,
        serving(replace(connection, uri=f"bolt://{proxy.address}"), api.workspace) as running,
        running.client() as client,
    ):
        token = running.token()
        assert awaited(client, 200).json() == {"status": "ready"}
        proxy.do(goes_away)
        try:
            gone = awaited(client, 503)
            assert gone.json() == {"status": "not ready", "reason": "DATABASE_UNAVAILABLE"}
            assert client.get("/readyz").status_code == 503
            # It must not be restarted for that.
            began = time.monotonic()
            alive = client.get("/healthz")
            assert alive.status_code == 200
            assert alive.json() == {"status": "alive", "database": "away"}
            assert time.monotonic() - began < DATABASE_TIMEOUT_S
        finally:
            proxy.do(BoltProxy.restore)
        assert awaited(client, 200).json() == {"status": "ready"}
        assert client.get("/healthz").json() == {"status": "alive", "database": "answers"}
        assert running.query("{ workspace { name } }", token)["data"]["workspace"]
