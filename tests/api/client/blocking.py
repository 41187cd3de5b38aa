"""An asynchronous client used like the synchronous one, so that one test tries both."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

from egcforest.api.client import AsyncForestClient, AsyncPages
from egcforest.api.client._async.jobs import AsyncJobs
from egcforest.api.client._async.messages import AsyncMessages

_WRAPPED = (AsyncForestClient, AsyncPages, AsyncJobs, AsyncMessages)


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def run(self, awaited: Any) -> Any:
        async def awaiting() -> Any:
            return await awaited

        return asyncio.run_coroutine_threadsafe(awaiting(), self._loop).result()


class Blocking:
    """Waits for whatever the methods of `wrapped` return."""

    def __init__(self, wrapped: Any, loop: _Loop | None = None) -> None:
        self._wrapped = wrapped
        self._loop = loop or _Loop()

    def __getattr__(self, name: str) -> Any:
        return self._made(getattr(self._wrapped, name))

    def __iter__(self) -> Iterator[Any]:
        return self._iterated(aiter(self._wrapped))

    def __repr__(self) -> str:
        return repr(self._wrapped)

    def __enter__(self) -> Self:
        self._loop.run(self._wrapped.__aenter__())
        return self

    def __exit__(self, *error: Any) -> None:
        self._loop.run(self._wrapped.__aexit__(*error))

    def _made(self, value: Any) -> Any:
        if isinstance(value, _WRAPPED):
            return Blocking(value, self._loop)
        if inspect.isasyncgen(value):
            return self._iterated(value)
        if inspect.iscoroutine(value):
            return self._made(self._loop.run(value))
        if inspect.ismethod(value):
            return lambda *args, **kwargs: self._made(value(*args, **kwargs))
        return value

    def _iterated(self, values: AsyncIterator[Any]) -> Iterator[Any]:
        try:
            while True:
                try:
                    yield self._loop.run(anext(values))
                except StopAsyncIteration:
                    return
        finally:
            if inspect.isasyncgen(values):
                self._loop.run(values.aclose())
