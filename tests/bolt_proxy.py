"""What stands before the tests' Neo4j, as a load balancer does, and can take it away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

# What a driver says first: the preamble and the versions it knows.
_HANDSHAKE_BYTES = 20
# More than the server says about versions, less than that and its answer to HELLO.
_SPOKE_BOLT_BYTES = 60


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
class BoltProxy:
    """Hands on what is said between a driver and the Neo4j at `bolt_uri`.

    Attributes:
        lets_pass: bytes that the server may say on one connection before the proxy ends it.
    """

    bolt_uri: str
    lets_pass: float = float("inf")
    _flowing: asyncio.Event = field(default_factory=asyncio.Event)
    _opened: set[asyncio.StreamWriter] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._flowing.set()

    def break_off(self) -> None:
        """End all connections now, and each further one when it has begun to speak Bolt."""
        self._end(_SPOKE_BOLT_BYTES)

    def close_at_once(self) -> None:
        """End all connections now, and each further one before anything is said on it."""
        self._end(0)

    def freeze(self) -> None:
        """Keep all connections and say nothing more on them, as a host that hangs."""
        self._flowing.clear()

    def restore(self) -> None:
        """Let everything pass again."""
        self.lets_pass = float("inf")
        self._flowing.set()

    def _end(self, lets_pass: int) -> None:
        self.lets_pass = lets_pass
        for writer in self._opened:
            writer.transport.abort()

    async def __call__(self, client: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        if self.lets_pass == 0:
            await client.readexactly(_HANDSHAKE_BYTES)
            return
        parts = urlsplit(self.bolt_uri)
        server, asks = await asyncio.open_connection(parts.hostname, parts.port)
        pair = {answers, asks}
        self._opened |= pair
        there = asyncio.create_task(self._copy(client, asks, float("inf")))
        here = asyncio.create_task(self._copy(server, answers, self.lets_pass))
        try:
            await asyncio.wait({there, here}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (there, here):
                task.cancel()
            await asyncio.gather(there, here, return_exceptions=True)
            asks.close()
            self._opened -= pair

    async def _copy(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, lets_pass: float
    ) -> None:
        passed = 0
        while passed < lets_pass and (data := await source.read(65536)):
            await self._flowing.wait()
            data = data[: int(min(len(data), lets_pass - passed))]
            passed += len(data)
            sink.write(data)
            await sink.drain()


@dataclass(frozen=True)
class ThreadedProxy:
    """A proxy on a loop of its own, for servers and tests that are on none or on another.

    Attributes:
        address: host and port.
    """

    address: str
    _proxy: BoltProxy
    _loop: asyncio.AbstractEventLoop

    def do(self, change: Callable[[BoltProxy], None]) -> None:
        """Make the proxy behave otherwise: `proxy.do(BoltProxy.freeze)`."""
        self._loop.call_soon_threadsafe(change, self._proxy)


@contextmanager
def proxy_in_thread(bolt_uri: str) -> Iterator[ThreadedProxy]:
    """A proxy to `bolt_uri` that lets everything pass until it is told otherwise."""
    made: list[ThreadedProxy] = []
    started, ended = threading.Event(), asyncio.Event()

    async def run() -> None:
        proxy = BoltProxy(bolt_uri)
        async with listening(proxy) as address:
            made.append(ThreadedProxy(address, proxy, asyncio.get_running_loop()))
            started.set()
            await ended.wait()
            proxy.close_at_once()

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    assert started.wait(30)
    try:
        yield made[0]
    finally:
        made[0]._loop.call_soon_threadsafe(ended.set)
        thread.join(30)
