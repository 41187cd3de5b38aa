"""The jobs of a worker: claimed, done, kept by a heartbeat, and left in a state that can go on."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum

from ...builders.lease import is_gone, new_owner
from ...graph.errors import ConnectionFailedError
from ...graph.job_records import Job, JobProgress, JobReceipt
from ...graph.job_store import JobStore
from ...graph.store import DATABASE_ERRORS
from .work import (
    MAX_ATTEMPTS,
    JobReport,
    Verdict,
    Workbench,
    judge,
    perform,
    trace_of,
)

logger = logging.getLogger("egcforest.jobs")

PROGRESS_S = 1.0
"""Progress is written about so often."""

SILENT_S = 5.0
"""Where nothing has changed, a sign of life is enough."""

POLL_S = 2.0
"""Jobs of other servers, and those whose time for another attempt has come, are looked for so
often; of its own API's the worker is told."""

_AWAY_S = (0.5, 1.0, 2.0, 5.0)


class Reason(StrEnum):
    """Why an attempt was stopped."""

    STOPPING = "stopping"
    CANCELLED = "cancelled"
    LOST = "lost"


@dataclass(slots=True)
class Attempt:
    """One attempt in progress; `owner` names it in the graph."""

    job: Job
    owner: str
    report: JobReport = field(default_factory=JobReport)
    reason: Reason | None = None


class Worker:
    """Claims jobs and does them, until it is told to stop.

    Args:
        bench: what to work with.
        say: told the keys of jobs that have changed.
        waking: set when there is something to do.
        stopping: set when the worker is to stop: what is in progress is left to the next one.
    """

    def __init__(
        self,
        bench: Workbench,
        say: Callable[[str], None],
        waking: asyncio.Event,
        stopping: asyncio.Event,
    ) -> None:
        self._bench = bench
        self._say = say
        self._wake = waking
        self._stopping = stopping
        self._jobs = JobStore(bench.store)
        self._tasks: set[asyncio.Task[None]] = set()
        self._owners: set[str] = set()

    async def run(self) -> None:
        """Work until `stopping` is set."""
        stopping = asyncio.create_task(self._wake_to_stop())
        while not self._stopping.is_set():
            self._wake.clear()
            attempt = await self._claim() if self._has_hands() else None
            if attempt is not None:
                task = asyncio.create_task(self._attempt(attempt))
                self._tasks.add(task)
                task.add_done_callback(self._done)
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._wake.wait()
        await asyncio.gather(*self._tasks, stopping)

    async def _wake_to_stop(self) -> None:
        await self._stopping.wait()
        self._wake.set()

    def _has_hands(self) -> bool:
        return len(self._tasks) < self._bench.order.jobs_at_once

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._wake.set()
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("An attempt was given up: %s", trace_of(error))

    async def _claim(self) -> Attempt | None:
        owner = new_owner()
        try:
            job = await self._jobs.claim(owner, self._bench.folder.id, self._gone)
        except DATABASE_ERRORS:
            # The database is away; every poll tries again.
            return None
        return None if job is None else Attempt(job, owner)

    def _gone(self, owner: str) -> bool:
        # One of this process that is none of its attempts is of a process that had its number.
        return owner not in self._owners and is_gone(owner)

    async def _attempt(self, attempt: Attempt) -> None:
        self._owners.add(attempt.owner)
        try:
            await self._do(attempt)
        finally:
            self._owners.discard(attempt.owner)
            self._say(attempt.job.key)
            gc.collect()

    async def _do(self, attempt: Attempt) -> None:
        job, owner = attempt.job, attempt.owner
        logger.info("Job %s: attempt %d begins", job.key, job.attempt)
        self._say(job.key)
        if job.cancel_requested:
            await self._told(lambda: self._jobs.cancelled(job.key, owner))
            return
        if job.attempt > MAX_ATTEMPTS:
            message = f"The worker ended {MAX_ATTEMPTS} times in the midst of it."
            remedy = "It may need more memory than there is; see the log, then retry the job."
            await self._told(lambda: self._jobs.fail(job.key, owner, message, remedy))
            return
        work = asyncio.create_task(perform(job, self._bench, attempt.report))
        watch = asyncio.create_task(self._watch(attempt, work))
        try:
            receipt = await work
        except asyncio.CancelledError:
            await self._stopped(attempt)
        except Exception as error:
            await self._failed(attempt, error)
        else:
            await self._finished(attempt, receipt)
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)

    async def _watch(self, attempt: Attempt, work: asyncio.Task[JobReceipt]) -> None:
        """Keep the job while the work goes on; stop the work when it should not."""
        written: JobProgress | None = None
        silent_s = 0.0
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PROGRESS_S):
                    await self._stopping.wait()
                attempt.reason = Reason.STOPPING
                break
            silent_s += PROGRESS_S
            progress = attempt.report.progress
            if progress == written and silent_s < SILENT_S:
                continue
            try:
                cancel = await self._jobs.heartbeat(attempt.job.key, attempt.owner, progress)
            except DATABASE_ERRORS:
                continue  # the work will notice by itself
            if cancel is None or cancel:
                attempt.reason = Reason.LOST if cancel is None else Reason.CANCELLED
                break
            written, silent_s = progress, 0.0
            self._say(attempt.job.key)
        work.cancel()

    async def _finished(self, attempt: Attempt, receipt: JobReceipt) -> None:
        job, owner = attempt.job, attempt.owner
        done = await self._told(lambda: self._jobs.finish(job.key, owner, receipt))
        if done is not None:
            logger.info("Job %s: done", job.key)
            if job.file is not None:
                await asyncio.to_thread(self._bench.folder.remove, job.file.path)

    async def _stopped(self, attempt: Attempt) -> None:
        key, owner = attempt.job.key, attempt.owner
        logger.info("Job %s: stopped (%s)", key, attempt.reason)
        if attempt.reason is Reason.CANCELLED:
            await self._told(lambda: self._jobs.cancelled(key, owner))
        elif attempt.reason is not Reason.LOST:
            await self._told(lambda: self._jobs.release(key, owner))

    async def _failed(self, attempt: Attempt, error: Exception) -> None:
        job, key, owner = attempt.job, attempt.job.key, attempt.owner
        found = judge(error, job)
        logger.warning(
            "Job %s: attempt %d ended (%s): %s", key, job.attempt, found.verdict, trace_of(error)
        )
        if found.verdict is Verdict.WAIT:
            await self._told(lambda: self._jobs.release(key, owner))
        elif found.verdict is Verdict.FAIL:
            await self._told(lambda: self._jobs.fail(key, owner, found.message, found.remedy))
        else:
            await self._told(
                lambda: self._jobs.try_again(
                    key, owner, found.message, found.remedy, delay_s=found.delay_s
                )
            )

    async def _told(self, tell: Callable[[], Awaitable[Job | None]]) -> Job | None:
        """Write the outcome down, also if the database has to come back first.

        A worker that is to stop does not wait for that: its silence will tell.
        """
        tries = 0
        while True:
            try:
                return await tell()
            except ConnectionFailedError:
                if self._stopping.is_set():
                    return None
            delay_s = _AWAY_S[min(tries, len(_AWAY_S) - 1)]
            tries += 1
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(delay_s):
                    await self._stopping.wait()
