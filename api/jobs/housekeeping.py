"""What keeps the upload folder and the list of jobs from growing for ever."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from ...graph.job_records import JobState
from ...graph.job_store import JobStore
from ...graph.store import DATABASE_ERRORS
from .folder import StoredFile, UploadFolder

logger = logging.getLogger("egcforest.jobs")

EVERY_S = 60.0

ABANDONED_S = 3600.0
"""A file that no job has wanted for so long is nobody's."""

BROKEN_OFF_S = 600.0
"""A file that is arriving was written to since then."""

_AT_ONCE = 1000


class Housekeeping:
    """Takes up what a killed server has left, and clears away what is over.

    Args:
        jobs: the jobs.
        folder: the upload folder; jobs of others are left alone.
        retention_days: how long ended jobs are kept.
    """

    def __init__(self, jobs: JobStore, folder: UploadFolder, retention_days: int) -> None:
        self._jobs = jobs
        self._folder = folder
        self._retention_days = retention_days

    async def run(self, wake: Callable[[], None]) -> None:
        """Keep house now and every minute; `wake` is called when a job was queued."""
        while True:
            try:
                if await self.once():
                    wake()
            except (*DATABASE_ERRORS, OSError) as error:
                logger.warning("Housekeeping has to wait: %s", type(error).__name__)
            await asyncio.sleep(EVERY_S)

    async def once(self) -> bool:
        """Keep house. Returns whether a job was queued."""
        queued = await self._look_at_waiting()
        await self._jobs.forget(self._retention_days)
        files = await asyncio.to_thread(lambda: list(self._folder.files()))
        for start in range(0, len(files), _AT_ONCE):
            await self._clear(files[start : start + _AT_ONCE])
        return queued

    async def _look_at_waiting(self) -> bool:
        """A file may have come whole just before its server died; others never come."""
        queued = False
        for job in await self._jobs.waiting(self._folder.id):
            if await asyncio.to_thread(self._folder.holds, job.file):
                await self._jobs.arrived(job.key)
                queued = True
            elif job.late:
                await self._jobs.expire(
                    job.key, "The file of this job never came.", "Start a new upload."
                )
        return queued

    async def _clear(self, files: list[StoredFile]) -> None:
        states = await self._jobs.states(sorted({file.key for file in files}))
        now = time.time()
        for file in files:
            state = states.get(file.key)
            idle_s = now - file.modified
            if (
                state is JobState.DONE
                or (state is None and idle_s > ABANDONED_S)
                or (file.part and idle_s > BROKEN_OFF_S)
            ):
                await asyncio.to_thread(self._folder.remove, file.path)
