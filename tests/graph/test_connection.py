"""What is said of a connection that breaks, and of what is no Neo4j at all."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.errors import ConnectionFailedError
from egcforest.graph.store import ForestStore
from tests.bolt_proxy import BoltProxy, Handler, listening
from tests.neo4j_server import Neo4jServer

NOT_BOLT = "does not speak Neo4j's Bolt protocol"


@pytest.fixture
def proxy(neo4j_server: Neo4jServer) -> BoltProxy:
    """A proxy to the session's Neo4j that lets everything pass."""
    return BoltProxy(neo4j_server.bolt_uri)


def through(connection: ConnectionConfig, address: str, scheme: str = "bolt") -> ConnectionConfig:
    return replace(
        connection,
        uri=f"{scheme}://{address}",
        connect_timeout_s=30,
        acquire_timeout_s=30,
        retry_time_s=0.5,
    )


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
async def test_a_server_that_goes_away_while_it_speaks_is_a_connection_that_broke_off(
    connection: ConnectionConfig, proxy: BoltProxy, scheme: str
) -> None:
    proxy.break_off()
    async with listening(proxy) as address:
        with pytest.raises(
            ConnectionFailedError, match=r"connection to Neo4j .* broke off"
        ) as info:
            await ForestStore.open(through(connection, address, scheme))
    assert NOT_BOLT not in str(info.value)


async def test_an_open_store_whose_server_goes_away_says_that_the_connection_broke_off(
    connection: ConnectionConfig, proxy: BoltProxy
) -> None:
    async with (
        listening(proxy) as address,
        await ForestStore.open(through(connection, address)) as store,
    ):
        await store.read("status/workspaces")
        proxy.break_off()
        with pytest.raises(ConnectionFailedError, match="broke off"):
            await store.read("status/workspaces")
        proxy.restore()
        assert await store.read("status/workspaces"), "the next connection is a new one"


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
async def test_what_closes_before_it_says_anything_may_be_starting(
    connection: ConnectionConfig, proxy: BoltProxy, scheme: str
) -> None:
    proxy.close_at_once()
    async with listening(proxy) as address:
        with pytest.raises(ConnectionFailedError, match="closed the connection before") as info:
            await ForestStore.open(through(connection, address, scheme))
    assert "try again" in info.value.remedy
    assert "+ssc" in info.value.remedy, "a server that wants TLS does the same"


async def _http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(64)
    writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
    await writer.drain()


async def _ssh(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"SSH-2.0-OpenSSH_9.9\r\n")
    await writer.drain()
    await reader.read(64)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
@pytest.mark.parametrize("handler", [_http, _ssh])
async def test_what_speaks_something_else_is_not_bolt(
    connection: ConnectionConfig, handler: Handler, scheme: str
) -> None:
    async with listening(handler) as address:
        with pytest.raises(ConnectionFailedError, match=NOT_BOLT):
            await ForestStore.open(through(connection, address, scheme))
