"""A thread with an event loop of its own, and something that is opened on that loop.

For work of which each step takes processor time: beside the serving loop it delays nobody there
for longer than the interpreter needs to change threads.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class LoopThread(Generic[T]):
    """The thread, as seen from other loops.

    Attributes:
        opened: what was opened there. Its coroutines belong into `run`.
    """

    opened: T
    _loop: asyncio.AbstractEventLoop

    async def run(self, work: Callable[[T], Coroutine[Any, Any, R]]) -> R:
        """Run `work` over there and wait for it here; it raises here what it raised there.

        It sees the caller's context variables. Whoever is cancelled while waiting cancels it,
        and does not wait until it has cleaned up.
        """
        running = asyncio.run_coroutine_threadsafe(work(self.opened), self._loop)
        return await asyncio.wrap_future(running)


@asynccontextmanager
async def loop_thread(
    name: str, open_: Callable[[], AbstractAsyncContextManager[T]]
) -> AsyncIterator[LoopThread[T]]:
    """A thread called `name`, for as long as the context lasts. What still runs there in the end
    is cancelled, and what `open_` opened is closed after it.

    Raises what opening and closing raise.
    """
    ready: Future[LoopThread[T]] = Future()
    stopping: Future[None] = Future()
    ended: Future[None] = Future()

    async def live() -> None:
        async with open_() as opened:
            ready.set_result(LoopThread(opened, asyncio.get_running_loop()))
            await asyncio.wrap_future(stopping)
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                # What was cancelled already is cleaning up, which a second time would break off.
                if not task.cancelling():
                    task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

    def work() -> None:
        try:
            asyncio.run(live())
        except BaseException as error:
            (ended if ready.done() else ready).set_exception(error)
        if not ended.done():
            ended.set_result(None)

    # Nothing that is worth waiting for runs here when the process ends without closing.
    threading.Thread(target=work, name=name, daemon=True).start()
    try:
        yield await asyncio.shield(asyncio.wrap_future(ready))
    finally:
        stopping.set_result(None)
        await asyncio.shield(asyncio.wrap_future(ended))
