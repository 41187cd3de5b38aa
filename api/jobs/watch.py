"""Following jobs: one reader of a job's row, however many follow it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from ...graph.job_records import Job, JobAccess
from ...graph.job_store import JobStore
from ...graph.store import DATABASE_ERRORS

POLL_S = 0.5
"""The worker may be another server's, of which nothing is heard."""


class _Feed:
    """The newest state of one job. `changed` is set, and replaced, when there is a newer one."""

    def __init__(self, job: Job) -> None:
        self.job: Job | None = job
        self.changed = asyncio.Event()
        self.poke = asyncio.Event()
        self.followers = 0
        self.reader: asyncio.Task[None] | None = None

    def take(self, job: Job | None) -> None:
        if job != self.job:
            self.job = job
            changed, self.changed = self.changed, asyncio.Event()
            changed.set()


class JobWatch:
    """Tells of changes of jobs."""

    def __init__(self, jobs: JobStore) -> None:
        self._jobs = jobs
        self._feeds: dict[str, _Feed] = {}

    def changed(self, key: str) -> None:
        """Something has changed in that job: look at once."""
        feed = self._feeds.get(key)
        if feed is not None:
            feed.poke.set()

    async def follow(self, job: Job) -> AsyncGenerator[Job, None]:
        """The job as it is now, then each change of it; ends when the job has ended.

        Who is slow gets the newest state and misses those between.
        """
        feed = self._feeds.get(job.key)
        if feed is None:
            feed = self._feeds[job.key] = _Feed(job)
        feed.followers += 1
        if feed.reader is None:
            feed.reader = asyncio.create_task(self._read(feed, job))
        feed.poke.set()
        seen: Job = job
        try:
            yield seen
            while not seen.state.ended:
                changed = feed.changed
                if feed.job == seen:
                    await changed.wait()
                if feed.job is None:
                    return
                if feed.job != seen:
                    seen = feed.job
                    yield seen
        finally:
            feed.followers -= 1
            if not feed.followers:
                self._feeds.pop(job.key, None)
                feed.reader.cancel()

    async def _read(self, feed: _Feed, job: Job) -> None:
        access = JobAccess(job.workspace, "", everything=True)
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await feed.poke.wait()
            feed.poke.clear()
            # Where the database is away, the next look tells.
            with contextlib.suppress(*DATABASE_ERRORS):
                feed.take(await self._jobs.get(job.key, access))
