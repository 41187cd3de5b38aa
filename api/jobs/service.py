"""Ingest jobs for the API: asked for, followed, and handed to the worker.

The event loop writes rows, moves bytes and reads progress; whatever works on messages does so in
the worker's process.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import datetime

from ...graph.job_records import (
    Job,
    JobAccess,
    JobFile,
    JobKind,
    JobState,
    NewJob,
    job_key,
)
from ...graph.job_store import JobStore
from ...graph.records import Scope
from ...graph.store import ForestStore
from ..access.principal import Principal, TokenScope
from ..errors import ApiError, ErrorCode
from .appended import Appended, digest_of
from .folder import UploadFolder
from .housekeeping import Housekeeping
from .order import WorkOrder
from .requests import UploadRequest, check_zone, job_id_of
from .supervisor import Supervisor
from .uploads import UploadLimits, check_room, receive
from .watch import JobWatch

logger = logging.getLogger("egcforest.jobs")

UPLOAD_LASTS_S = 24 * 3600
"""How long the file of an upload may take to come."""

APPEND_LASTS_S = 600
"""An append's file is written in the request; one whose server died before is given up."""

MAX_BACKLOG = 500
"""Jobs of one workspace that wait for their file or their turn: more are refused."""


@dataclass(frozen=True, slots=True)
class JobOptions:
    """How jobs are kept.

    Attributes:
        limits: of one upload.
        retention_days: how long ended jobs, and the files of those that failed, are kept.
        grace_s: how long the worker may take to put down its work at the end.
    """

    limits: UploadLimits
    retention_days: int = 14
    grace_s: float = 10.0


class JobService:
    """Jobs, as one server has them. Use `configure.open_jobs`.

    A job is seen by the token that asked for it, by tokens of the same actor, and by whoever may
    administrate its workspace; for all others there is none of that id.
    """

    def __init__(
        self, store: ForestStore, folder: UploadFolder, order: WorkOrder, options: JobOptions
    ) -> None:
        self._jobs = JobStore(store)
        self._folder = folder
        self._options = options
        self._watch = JobWatch(self._jobs)
        self._receiving: set[str] = set()
        self.worker = Supervisor(order, self._watch.changed)
        self._housekeeping = Housekeeping(self._jobs, folder, options.retention_days)
        self._keeping: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the worker, and take up what an earlier server has left."""
        self.worker.start()
        self._keeping = asyncio.create_task(self._housekeeping.run(self.worker.wake))

    async def stop(self) -> None:
        """Stop the worker; its job stays, to be gone on with."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        await self.worker.stop(self._options.grace_s)

    # Asking for jobs

    async def start_upload(
        self, principal: Principal, request: UploadRequest, request_id: str | None = None
    ) -> Job:
        """A job that waits for its file.

        Raises:
            ApiError: BAD_INPUT, a field is not usable; TOO_LARGE; CONFLICT, `request_id` was used
                for something else, or too many jobs wait.
        """
        principal.require(TokenScope.INGEST)
        suffix = request.checked(self._options.limits.max_bytes)
        await asyncio.to_thread(check_room, self._folder.root, request.bytes, self._options.limits)
        job_id = job_id_of(principal, request_id)
        path = self._folder.relative(principal.workspace, job_id, suffix)
        file = request.file(self._folder.id, path)
        return await self._create(principal, job_id, JobKind.UPLOAD, file=file)

    async def receive(
        self, principal: Principal, job_id: str, chunks: AsyncIterator[bytes], length: int | None
    ) -> Job:
        """Take the bytes of an upload; its job is queued on return. Safe to repeat.

        Args:
            principal: whoever asked for the job: nobody else can send its file.
            job_id: the job's id, the last part of its key.
            chunks: the bytes.
            length: how many there are said to be, if that is said.

        Raises:
            ApiError: NOT_FOUND, no such upload of this token; CONFLICT, it has ended, or is being
                sent already; others as `uploads.receive`.
        """
        principal.require(TokenScope.INGEST)
        key = job_key(principal.workspace, job_id)
        job = await self._jobs.get(key, JobAccess(principal.workspace, principal.token_id))
        if job is None or job.kind is not JobKind.UPLOAD or job.token != principal.token_id:
            raise _no_job()
        if job.state in (JobState.QUEUED, JobState.RUNNING, JobState.DONE):
            return job  # it came, and the answer was lost
        file = job.file
        assert file is not None
        if job.state is not JobState.WAITING or file.folder != self._folder.id:
            raise ApiError(
                f"This upload is not waited for; it is {job.state}.",
                "Start a new one.",
                code=ErrorCode.CONFLICT,
                state=job.state.name,
            )
        if length is not None and length != file.bytes:
            raise ApiError(
                f"{length:,} bytes are sent, {file.bytes:,} were announced.",
                "Start a new upload with the right number.",
                expected=file.bytes,
                received=length,
            )
        if key in self._receiving:
            raise ApiError(
                "This upload is being received already.",
                "Wait for it, or cancel it and send it again.",
                code=ErrorCode.CONFLICT,
            )
        self._receiving.add(key)
        try:
            await receive(self._folder, file, chunks, self._options.limits)
            return await self._arrived(job)
        finally:
            self._receiving.discard(key)

    async def append(
        self,
        principal: Principal,
        appended: Appended,
        request_id: str | None = None,
        *,
        wait_s: float = 0.0,
    ) -> Job:
        """Append messages: durable on return, and searchable once the job is DONE.

        Args:
            principal: who appends.
            appended: what.
            request_id: whoever repeats it gets the same job.
            wait_s: return when the job has ended, or after so many seconds.

        Raises:
            ApiError: BAD_INPUT, TOO_LARGE or CONFLICT, as for `start_upload`.
        """
        principal.require(TokenScope.INGEST)
        check_zone(appended.timezone)
        content = await asyncio.to_thread(appended.lines)
        sha256 = await asyncio.to_thread(digest_of, content)
        job_id = job_id_of(principal, request_id)
        relative = self._folder.relative(principal.workspace, job_id, ".jsonl")
        file = JobFile(
            self._folder.id, relative, "append", "jsonl", len(content), sha256, appended.timezone
        )
        job = await self._create(principal, job_id, JobKind.APPEND, file=file)
        if job.state is JobState.WAITING:
            # Of two equal requests both write the same file.
            await asyncio.to_thread(self._folder.write, relative, content)
            job = await self._arrived(job)
        return await self.wait(job, wait_s)

    async def rebuild(
        self,
        principal: Principal,
        scope: Scope,
        channels: Sequence[str] = (),
        request_id: str | None = None,
    ) -> Job:
        """Grow the forests of the workspace anew, or those of some channels.

        Args:
            principal: who asks.
            scope: what they may see.
            channels: keys, ids or names; none means all there are, seen or not.
            request_id: as for `append`.

        Raises:
            ApiError: NOT_FOUND, there is no such channel that the asker may see; BAD_INPUT, a
                name fits several.
        """
        principal.require(TokenScope.ADMIN)
        found = await self._jobs.find_channels(scope, channels) if channels else {}
        for name in channels:
            if len(found[name]) != 1:
                raise ApiError(
                    f"There is no channel {name[:80]!r} that the asker may see."
                    if not found[name]
                    else f"Several channels are called {name[:80]!r}.",
                    "Give its id.",
                    code=ErrorCode.BAD_INPUT if found[name] else ErrorCode.NOT_FOUND,
                    argument="channels",
                )
        keys = tuple(sorted({key for name in channels for key in found[name]}))
        job_id = job_id_of(principal, request_id)
        job = await self._create(principal, job_id, JobKind.REBUILD, JobState.QUEUED, channels=keys)
        self.worker.wake()
        return job

    # Looking at jobs, and changing them

    async def get(self, principal: Principal, key: str) -> Job | None:
        """The job with that key or id; None if there is none that may be seen."""
        principal.require(TokenScope.INGEST)
        if "/" not in key:
            key = job_key(principal.workspace, key)
        return await self._jobs.get(key, _access(principal))

    async def page(
        self,
        principal: Principal,
        limit: int,
        *,
        after: tuple[datetime, str] | None = None,
        state: JobState | None = None,
    ) -> list[Job]:
        """The newest jobs first, as `JobStore.page`."""
        principal.require(TokenScope.INGEST)
        return await self._jobs.page(_access(principal), limit, after=after, state=state)

    async def cancel(self, principal: Principal, key: str) -> Job:
        """End a job, or ask its worker to. What it has logged stays. Safe to repeat.

        Raises:
            ApiError: NOT_FOUND.
        """
        job = await self._visible(principal, key)
        job = await self._jobs.cancel(job.key) or job
        self._watch.changed(job.key)
        return job

    async def retry(self, principal: Principal, key: str) -> Job:
        """Queue a job again that has failed or was cancelled; others stay as they are.

        Raises:
            ApiError: NOT_FOUND; CONFLICT, its file is gone.
        """
        job = await self._visible(principal, key)
        if job.state not in (JobState.FAILED, JobState.CANCELLED):
            return job
        here = job.file is None or job.file.folder != self._folder.id
        if job.file is not None and not here:
            here = await asyncio.to_thread(self._folder.holds, job.file.path)
        if not here:
            raise ApiError(
                "The file of this job never came, or is not kept any more.",
                "Send it again as a new job.",
                code=ErrorCode.CONFLICT,
            )
        job = await self._jobs.retry(job.key) or job
        self.worker.wake()
        return job

    def follow(self, job: Job) -> AsyncGenerator[Job, None]:
        """The job as it is, then each change of it, until it has ended."""
        return self._watch.follow(job)

    async def wait(self, job: Job, seconds: float) -> Job:
        """The job when it has ended, or as it is after so many seconds."""
        if seconds <= 0 or job.state.ended:
            return job
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), aclosing(self.follow(job)) as states:
                async for state in states:
                    job = state
        return job

    async def _visible(self, principal: Principal, key: str) -> Job:
        job = await self.get(principal, key)
        if job is None:
            raise _no_job()
        return job

    async def _create(
        self,
        principal: Principal,
        job_id: str,
        kind: JobKind,
        state: JobState = JobState.WAITING,
        *,
        file: JobFile | None = None,
        channels: tuple[str, ...] = (),
    ) -> Job:
        digest = hashlib.sha256(repr((kind, file, channels)).encode()).hexdigest()
        new = NewJob(
            job_key(principal.workspace, job_id),
            principal.workspace,
            kind,
            state,
            principal.token_id,
            principal.actor,
            digest,
            file,
            channels,
            UPLOAD_LASTS_S if kind is JobKind.UPLOAD else APPEND_LASTS_S,
            may_open=principal.may(TokenScope.ADMIN),
        )
        if await self._jobs.backlog(principal.workspace, MAX_BACKLOG) >= MAX_BACKLOG:
            raise ApiError(
                f"{MAX_BACKLOG} jobs of this workspace wait already.",
                "Wait until some are done, or cancel some.",
                code=ErrorCode.CONFLICT,
                limit=MAX_BACKLOG,
            )
        job = await self._jobs.create(new)
        if job.request_digest != digest:
            raise ApiError(
                "This clientRequestId was used for something else.",
                "Use a new one for each new request.",
                code=ErrorCode.CONFLICT,
                argument="clientRequestId",
            )
        return job

    async def _arrived(self, job: Job) -> Job:
        arrived = await self._jobs.arrived(job.key)
        if arrived is None:
            raise _no_job()
        self.worker.wake()
        self._watch.changed(job.key)
        return arrived


def _access(principal: Principal) -> JobAccess:
    return JobAccess(
        principal.workspace,
        principal.token_id,
        principal.actor,
        everything=principal.may(TokenScope.ADMIN),
    )


def _no_job() -> ApiError:
    return ApiError(
        "There is no such job that the asker may see.",
        "ingestJobs lists those there are.",
        code=ErrorCode.NOT_FOUND,
    )
