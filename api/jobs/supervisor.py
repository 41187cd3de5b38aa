"""The worker's process, kept running for as long as the API runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Callable

from .order import WorkOrder

logger = logging.getLogger("egcforest.jobs")

MODULE = "egcforest.api.jobs.worker"
_BACKOFF_S = (0.2, 1.0, 3.0, 10.0, 30.0)
# One that has worked for so long did not die of its start.
_SOUND_S = 60.0


class Supervisor:
    """Starts the worker, and starts it again when it dies.

    Args:
        order: what the worker is told.
        on_change: called with the key of each job that the worker has changed.
    """

    def __init__(self, order: WorkOrder, on_change: Callable[[str], None]) -> None:
        self._order = order
        self._on_change = on_change
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopping = False

    @property
    def pid(self) -> int | None:
        """The worker's process, while there is one."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the worker and see to it from now on."""
        self._task = asyncio.create_task(self._keep_running())

    def wake(self) -> None:
        """Tell the worker that there is something to do."""
        process = self._process
        if process is not None and process.stdin is not None and process.returncode is None:
            with contextlib.suppress(OSError, RuntimeError):
                process.stdin.write(b"\n")

    async def stop(self, grace_s: float) -> None:
        """End the worker. It leaves its job so that the next one goes on; what has not ended
        after `grace_s` seconds is killed, which does no harm but to the time."""
        self._stopping = True
        if self._task is None:
            return
        process = self._process
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        else:
            self._task.cancel()
        try:
            async with asyncio.timeout(grace_s):
                await asyncio.shield(asyncio.gather(self._task, return_exceptions=True))
        except TimeoutError:
            if process is not None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep_running(self) -> None:
        deaths = 0
        while not self._stopping:
            began = time.monotonic()
            code = await self._run_once()
            if self._stopping:
                return
            deaths = 0 if time.monotonic() - began > _SOUND_S else deaths + 1
            delay_s = _BACKOFF_S[min(deaths, len(_BACKOFF_S)) - 1] if deaths else 0.0
            logger.error("The worker ended with %s; it starts again in %g s", code, delay_s)
            await asyncio.sleep(delay_s)

    async def _run_once(self) -> int:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            # A folder of the same name where the API was started is not the package.
            "-P",
            "-m",
            MODULE,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(self._order.line())
            with contextlib.suppress(ConnectionError):
                await process.stdin.drain()
            while line := await process.stdout.readline():
                self._on_change(line.decode("utf-8", "replace").strip())
            return await process.wait()
        finally:
            # Its input ends, so it does not outlive whoever was to look after it.
            process.stdin.close()
            self._process = None
