"""Many calls at a time on one client, and calls that nobody waits for any more."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from egcforest.api.client import AsyncForestClient, ClosedError, ForestClient
from tests.api.client.conftest import quick
from tests.api.client.misbehaving import Misbehaving, events, good, slow
from tests.api.client.test_writing import running
from tests.api.serving import Api

CALLS = 50
SLOW_S = 5.0


async def test_fifty_calls_at_once(api: Api, reader: str) -> None:
    async with AsyncForestClient(api.url, reader, **quick(max_connections=10)) as client:
        found = await asyncio.gather(
            *(client.on_behalf_of(None).workspace() for _ in range(CALLS // 2)),
            *(client.channels(page_size=1).take(1) for _ in range(CALLS // 2)),
        )
    assert len({repr(one) for one in found}) == 2


def test_fifty_threads_at_once(api: Api, reader: str) -> None:
    with (
        ForestClient(api.url, reader, **quick(max_connections=10)) as client,
        ThreadPoolExecutor(CALLS) as threads,
    ):
        found = list(threads.map(lambda _: client.workspace(), range(CALLS)))
    assert len(set(map(repr, found))) == 1


async def test_connections_are_used_again(misbehaving: Misbehaving) -> None:
    misbehaving.script = [good()]
    async with AsyncForestClient(misbehaving.url, "x", **quick(max_connections=3)) as client:
        for _ in range(3):
            await asyncio.gather(*(client.workspace() for _ in range(10)))
    assert len(misbehaving.received) == 30
    assert len({one.port for one in misbehaving.received}) <= 3


async def test_a_call_that_is_cancelled_ends_at_once(misbehaving: Misbehaving) -> None:
    misbehaving.script = [slow(SLOW_S, good()), good()]
    async with AsyncForestClient(misbehaving.url, "x", **quick(max_connections=1)) as client:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await client.workspace()
        # Its connection is given back, and it is not sent again.
        assert (await client.workspace()).name == "acme"
        assert time.monotonic() - began < SLOW_S / 2
    assert len(misbehaving.received) == 2


async def test_watching_can_be_cancelled(misbehaving: Misbehaving) -> None:
    def endless(handler: object) -> None:
        events(running("Logging"), complete=False)(handler)  # type: ignore[arg-type]
        time.sleep(SLOW_S)

    misbehaving.script = [endless, good()]
    async with AsyncForestClient(misbehaving.url, "x", **quick(max_connections=1)) as client:
        began = time.monotonic()
        watching = asyncio.create_task(client.jobs.wait("acme/j/1"))
        await asyncio.to_thread(misbehaving.wait_for, 1)
        await asyncio.sleep(0.1)
        watching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await watching
        await client.workspace()
        assert time.monotonic() - began < SLOW_S / 2


async def test_closing_under_way(misbehaving: Misbehaving) -> None:
    misbehaving.script = [slow(0.5, good())]
    client = AsyncForestClient(misbehaving.url, "x", **quick())
    calls = [asyncio.create_task(client.workspace()) for _ in range(3)]
    await asyncio.to_thread(misbehaving.wait_for, 3)
    await client.close()
    for error in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(error, ClosedError), repr(error)
