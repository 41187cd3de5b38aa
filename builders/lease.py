"""One builder at a time in a workspace: a lease in the graph, kept up while the build runs."""

from __future__ import annotations

import asyncio
import os
import socket
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from ..graph.forest_store import TreeStore

LEASE_S = 30
"""How long a lease lasts without being renewed: longer than any pause of a healthy process."""

_RENEW_S = 5.0
_POLL_S = 0.2

_held: set[str] = set()
"""Owners of this process that are alive."""


@asynccontextmanager
async def building_lease(trees: TreeStore) -> AsyncIterator[float]:
    """Hold the lease on building `trees.workspace`; wait while another builder holds it.

    A holder on this machine whose process is gone is not waited for. Yields the seconds waited.

    Raises:
        LeaseLostError: on leaving, if the lease was lost in between. What was written is right
            as far as it goes; build again.
    """
    owner = new_owner()
    _held.add(owner)
    loop = asyncio.get_running_loop()
    started = loop.time()
    try:
        holder = await trees.take_lease(owner, (), LEASE_S)
        while holder != owner:
            if is_gone(holder):
                holder = await trees.take_lease(owner, [holder], LEASE_S)
                continue
            # The holder may be another process: there is no event to wait for.
            await asyncio.sleep(_POLL_S)
            holder = await trees.take_lease(owner, (), LEASE_S)
        waited = loop.time() - started
        trees.owner = owner
        task = asyncio.current_task()
        assert task is not None
        lost = asyncio.Event()
        renewal = asyncio.create_task(_renew(trees, owner, task, lost))
        try:
            yield waited
        except asyncio.CancelledError:
            if lost.is_set():
                task.uncancel()
                raise trees.lease_lost() from None
            raise
        finally:
            renewal.cancel()
            with suppress(asyncio.CancelledError):
                await renewal
            trees.owner = None
            await trees.release_lease(owner)
    finally:
        _held.discard(owner)


async def _renew(
    trees: TreeStore, owner: str, builder: asyncio.Task[object], lost: asyncio.Event
) -> None:
    while True:
        await asyncio.sleep(_RENEW_S)
        if await trees.take_lease(owner, (), LEASE_S) != owner:
            lost.set()
            builder.cancel()
            return


def new_owner() -> str:
    """A name for one piece of work of this process, by which others see whether it lives."""
    return f"{_machine()}:{os.getpid()}:{uuid.uuid4().hex[:12]}"


def is_gone(owner: str) -> bool:
    """Whether the owner was a process of this machine that has ended."""
    if owner in _held:
        return False
    machine, _, pid = owner.rpartition(":")[0].rpartition(":")
    if machine != _machine() or not pid.isdigit():
        return False
    return int(pid) == os.getpid() or not _alive(int(pid))


def _machine() -> str:
    # Process ids mean nothing in another container, even where it has the same host name.
    with suppress(OSError):
        return f"{socket.gethostname()}/{os.readlink('/proc/self/ns/pid')}"
    return socket.gethostname()


def _alive(pid: int) -> bool:
    if os.name == "nt":
        return True  # os.kill would end it; the lease runs out by itself
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    # A process that was killed stays listed until its parent has noticed.
    with suppress(OSError):
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return not status.rpartition(")")[2].lstrip().startswith("Z")
    return True
