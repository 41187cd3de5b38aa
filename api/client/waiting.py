"""The two things that are written differently where waiting blocks and where it does not.

The script that makes `_sync` from `_async` puts the second of each pair for the first.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def sleep_async(seconds: float) -> None:
    """Let `seconds` pass."""
    await asyncio.sleep(seconds)


def sleep(seconds: float) -> None:
    """Let `seconds` pass."""
    time.sleep(seconds)


async def off_loop(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `function`, which blocks, returns."""
    return await asyncio.to_thread(function, *args, **kwargs)


def directly(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `function`, which blocks, returns."""
    return function(*args, **kwargs)
