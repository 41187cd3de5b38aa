"""A short memory in front of the database, so that a busy client costs one read in a while."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Entry(Generic[T]):
    until: float
    task: asyncio.Future[T]


class ShortCache(Generic[T]):
    """Remembers what was loaded for `ttl_s` seconds, counted from the start of loading.

    Whoever asks for what is being loaded waits for the same load. An error is passed on to
    them and not remembered. Of more than `capacity` entries the least recently used one goes.
    """

    def __init__(self, ttl_s: float, capacity: int = 10_000) -> None:
        self._ttl_s = ttl_s
        self._capacity = capacity
        self._entries: OrderedDict[Hashable, _Entry[T]] = OrderedDict()

    async def get(self, key: Hashable, load: Callable[[], Awaitable[T]]) -> T:
        """What `load` gave for `key`, at most `ttl_s` seconds ago."""
        entry = self._entries.get(key)
        if entry is None or time.monotonic() >= entry.until:
            task = asyncio.ensure_future(load())
            entry = _Entry(time.monotonic() + self._ttl_s, task)
            self._entries[key] = entry
            task.add_done_callback(lambda done: self._settle(key, done))
            while len(self._entries) > self._capacity:
                self._entries.popitem(last=False)
        self._entries.move_to_end(key)
        # One who gives up must not take the load away from the others.
        return await asyncio.shield(entry.task)

    def __len__(self) -> int:
        return len(self._entries)

    def _settle(self, key: Hashable, done: asyncio.Future[T]) -> None:
        if done.cancelled() or done.exception() is not None:
            entry = self._entries.get(key)
            if entry is not None and entry.task is done:
                del self._entries[key]
