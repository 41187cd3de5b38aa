"""What is said of a connection that breaks, and of what is no Neo4j at all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

import pytest

from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.errors import ConnectionFailedError
from egcforest.graph.store import ForestStore
from tests.neo4j_server import Neo4jServer

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
NOT_BOLT = "does not speak Neo4j's Bolt protocol"


@asynccontextmanager
async def listening(handler: Handler) -> AsyncIterator[str]:
    """Host and port where each connection is given to `handler`."""

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handler(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(once, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


@dataclass
class Proxy:
    """Stands before the real Neo4j, as a load balancer does.

    Attributes:
        lets_pass: bytes that the server may say on one connection before the proxy ends it.
        opened: what the proxy holds open.
    """

    host: str
    port: int
    lets_pass: float = float("inf")
    opened: set[asyncio.StreamWriter] = field(default_factory=set)

    async def __call__(self, client: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        if self.lets_pass == 0:
            await client.readexactly(20)
            return
        server, asks = await asyncio.open_connection(self.host, self.port)
        self.opened |= {answers, asks}
        there = asyncio.create_task(self._copy(client, asks, float("inf")))
        try:
            await self._copy(server, answers, self.lets_pass)
        finally:
            there.cancel()
            asks.close()
            self.opened -= {answers, asks}

    async def _copy(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, lets_pass: float
    ) -> None:
        passed = 0
        while passed < lets_pass and (data := await source.read(65536)):
            data = data[: int(min(len(data), lets_pass - passed))]
            passed += len(data)
            sink.write(data)
            await sink.drain()

    def cut(self) -> None:
        """End all connections now, and each further one as soon as it spoke Bolt."""
        # Version, capabilities and HELLO's answer are longer; the manifest alone is shorter.
        self.lets_pass = 60
        for writer in self.opened:
            writer.transport.abort()


@pytest.fixture
def proxy(neo4j_server: Neo4jServer) -> Proxy:
    """A proxy to the session's Neo4j that lets everything pass."""
    parts = urlsplit(neo4j_server.bolt_uri)
    return Proxy(parts.hostname or "", parts.port or 7687)


def through(connection: ConnectionConfig, address: str, scheme: str = "bolt") -> ConnectionConfig:
    return replace(
        connection,
        uri=f"{scheme}://{address}",
        connect_timeout_s=5,
        acquire_timeout_s=5,
        retry_time_s=0.5,
    )


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
async def test_a_server_that_goes_away_while_it_speaks_is_a_connection_that_broke_off(
    connection: ConnectionConfig, proxy: Proxy, scheme: str
) -> None:
    proxy.cut()
    async with listening(proxy) as address:
        with pytest.raises(
            ConnectionFailedError, match=r"connection to Neo4j .* broke off"
        ) as info:
            await ForestStore.open(through(connection, address, scheme))
    assert NOT_BOLT not in str(info.value)


async def test_an_open_store_whose_server_goes_away_says_that_the_connection_broke_off(
    connection: ConnectionConfig, proxy: Proxy
) -> None:
    async with (
        listening(proxy) as address,
        await ForestStore.open(through(connection, address)) as store,
    ):
        await store.read("status/workspaces")
        proxy.cut()
        with pytest.raises(ConnectionFailedError, match="broke off"):
            await store.read("status/workspaces")
        proxy.lets_pass = float("inf")
        assert await store.read("status/workspaces"), "the next connection is a new one"


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
async def test_what_closes_before_it_says_anything_may_be_starting(
    connection: ConnectionConfig, proxy: Proxy, scheme: str
) -> None:
    proxy.lets_pass = 0
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
