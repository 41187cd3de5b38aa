"""File locks between processes; the system frees them when their holder dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import PrivateNeo4jError
from .progress import Report

_POLL_S = 0.1
LOCK_TIMEOUT_S = 1800.0
"""Longer than the slowest fetch somebody would wait for."""


@contextmanager
def hold_lock(
    path: Path, report: Report, doing: str, timeout_s: float = LOCK_TIMEOUT_S
) -> Iterator[None]:
    """Hold the lock at `path`; say so once if another process has it.

    Args:
        path: the lock file; its folder is made if need be.
        report: told once when there is somebody to wait for.
        doing: what the other process is doing, as in "starting Neo4j".
        timeout_s: how long to wait for the other process.

    Raises:
        PrivateNeo4jError: the other process still holds the lock after `timeout_s`.
    """
    from filelock import FileLock, Timeout

    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path, mode=0o600, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        report(f"Another process is {doing}; waiting for it.")
        try:
            lock.acquire(timeout=timeout_s, poll_interval=_POLL_S)
        except Timeout as error:
            raise PrivateNeo4jError(
                f"Another process has been {doing} for more than {timeout_s:.0f} seconds "
                f"(lock {path}).",
                "End that process and try again.",
            ) from error
    try:
        yield
    finally:
        lock.release()
