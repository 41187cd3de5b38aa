"""The client over real HTTP: a service, a workspace to write to, and a server that misbehaves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from egcforest.api.access.principal import TokenScope
from egcforest.api.client import AsyncForestClient, ForestClient, RetryPolicy
from egcforest.graph.store import ForestStore
from tests.api.client.blocking import Blocking
from tests.api.client.misbehaving import Misbehaving
from tests.api.serving import Api, own_workspace

QUICK = RetryPolicy(base_s=0.02, cap_s=0.1)
"""Retries that a test can wait for."""

Connect = Callable[..., Any]


def quick(**options: Any) -> dict[str, Any]:
    return {"retry": QUICK, "timeout_s": 30.0} | options


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which of the two clients."""
    return request.param


@pytest.fixture
def connect(kind: str) -> Iterator[Connect]:
    """Makes clients of either kind, which are used in the same way; closed after the test."""
    made: list[Any] = []

    def make(url: str, token: Any = "x", **options: Any) -> Any:
        options = quick(**options)
        client = (
            ForestClient(url, token, **options)
            if kind == "sync"
            else Blocking(AsyncForestClient(url, token, **options))
        )
        made.append(client)
        return client

    yield make
    for client in made:
        client.close()


@pytest.fixture(scope="session")
def reader(api: Api) -> str:
    """A token to read the public part of the sample."""
    return api.token()


@pytest.fixture(scope="module")
async def desk(api: Api, store: ForestStore) -> AsyncIterator[str]:
    """A token to read, write and rebuild in a workspace of this module alone."""
    async with own_workspace(store) as name:
        yield api.token(None, TokenScope.ADMIN, workspace=name)


@pytest.fixture
def misbehaving() -> Iterator[Misbehaving]:
    """A server that does what a test tells it."""
    with Misbehaving() as server:
        yield server
