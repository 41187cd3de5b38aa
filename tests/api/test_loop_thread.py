"""Work on a thread with an event loop of its own: what crosses over, and what ends it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import ContextVar

import pytest

from egcforest.api.loop_thread import loop_thread

request_id: ContextVar[str] = ContextVar("request_id", default="none")


class Opened:
    """Notes where and when it was opened and closed, and what ran in between."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.thread = ""
        self.started = threading.Event()

    async def work(self) -> str:
        self.thread = threading.current_thread().name
        return request_id.get()

    async def fail(self) -> str:
        raise LookupError("over there")

    async def forever(self) -> str:
        self.started.set()
        try:
            await asyncio.Event().wait()
        finally:
            # It may await while it cleans up.
            await asyncio.sleep(0)
            self.events.append("let go")
        return ""


OPENED = "opened"


@pytest.fixture
def opened() -> Opened:
    return Opened()


def opening(opened: Opened) -> Callable[[], AbstractAsyncContextManager[Opened]]:
    @asynccontextmanager
    async def open_() -> AsyncIterator[Opened]:
        opened.events.append(OPENED)
        yield opened
        opened.events.append("closed")

    return open_


async def test_work_runs_on_the_other_thread_with_the_callers_context(opened: Opened) -> None:
    request_id.set("r-1")
    async with loop_thread("beside", opening(opened)) as thread:
        assert await thread.run(Opened.work) == "r-1"
    assert opened.thread == "beside"
    assert opened.events == [OPENED, "closed"]


async def test_an_error_comes_across_with_its_place(opened: Opened) -> None:
    async with loop_thread("beside", opening(opened)) as thread:
        with pytest.raises(LookupError) as raised:
            await thread.run(Opened.fail)
    assert raised.traceback[-1].name == "fail"


async def test_who_is_cancelled_cancels_the_work(opened: Opened) -> None:
    async with loop_thread("beside", opening(opened)) as thread:
        waiting = asyncio.create_task(thread.run(Opened.forever))
        assert await asyncio.to_thread(opened.started.wait, 30)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        # The thread's loop takes one thing after the other: this comes after the cancellation.
        while "let go" not in opened.events:
            await thread.run(Opened.work)


async def test_a_time_limit_reaches_the_work(opened: Opened) -> None:
    async with loop_thread("beside", opening(opened)) as thread:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await thread.run(Opened.forever)
    assert opened.events == [OPENED, "let go", "closed"]


async def test_closing_ends_the_work_before_what_it_works_with(opened: Opened) -> None:
    async with loop_thread("beside", opening(opened)) as thread:
        waiting = asyncio.create_task(thread.run(Opened.forever))
        assert await asyncio.to_thread(opened.started.wait, 30)
    assert opened.events == [OPENED, "let go", "closed"]
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_what_cannot_be_opened_says_why() -> None:
    @asynccontextmanager
    async def broken() -> AsyncIterator[None]:
        raise ConnectionError("nobody there")
        yield

    with pytest.raises(ConnectionError, match="nobody there"):
        async with loop_thread("beside", broken):
            pytest.fail("It was opened.")
