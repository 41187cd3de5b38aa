"""Fixtures shared by all rooms."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import AsyncIterator, Iterator

import pytest
from hypothesis import settings

from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.identity import EncoderIdentity
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from egcforest.text.encoders.hashing import HashingEncoder
from tests.neo4j_server import Neo4jServer, running_neo4j

# What was started in the background of a script ignores SIGINT, and so does all that it starts:
# tests interrupt processes of theirs, as somebody at a terminal does.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A change is judged by examples that are the same each time; on a developer's machine
# they differ from run to run, and what they find becomes an `@example`.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture(scope="session")
def neo4j_server() -> Iterator[Neo4jServer]:
    """A Neo4j that answers; the whole session shares it, so clean up what you write."""
    with running_neo4j() as server:
        yield server


@pytest.fixture(scope="session")
def connection(neo4j_server: Neo4jServer) -> ConnectionConfig:
    """How to open a store on the session's Neo4j."""
    return ConnectionConfig(neo4j_server.bolt_uri, neo4j_server.user, neo4j_server.password)


@pytest.fixture(scope="session")
async def store(connection: ConnectionConfig) -> AsyncIterator[ForestStore]:
    """The session's store, prepared for the vectors of `HashingEncoder()`."""
    async with await ForestStore.open(connection) as opened:
        await opened.prepare(EncoderIdentity.of(HashingEncoder()))
        yield opened


@pytest.fixture
async def workspace(store: ForestStore) -> AsyncIterator[str]:
    """The name of a workspace of this test alone; what it holds is deleted afterwards."""
    name = f"t{uuid.uuid4().hex[:12]}"
    yield name
    await LogStore(store).wipe(name)
