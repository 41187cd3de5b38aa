"""Uploads: a file is hashed, announced, sent, and followed until it is ingested."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from pathlib import Path

from .. import writing
from ..files import UploadFile, UploadPhase, UploadProgress
from ..job_models import Job
from ..waiting import off_loop
from .connection import AsyncConnection
from .jobs import AsyncJobs

Report = Callable[[UploadProgress], None]


async def upload(
    connection: AsyncConnection,
    path: Path,
    *,
    wait: bool,
    on_progress: Report,
    time_zone: str | None,
    permalink_base: str | None,
    client_request_id: str | None,
) -> Job:
    """See `AsyncForestClient.upload`."""
    size, sha256 = await _hashed(path, on_progress)
    operation = writing.start_upload(
        path.name, size, sha256, time_zone, permalink_base, client_request_id
    )
    started = await connection.run(operation)
    job = started.job
    jobs = AsyncJobs(connection)
    if started.upload is not None:

        def chunks() -> AsyncGenerator[bytes, None]:
            return _chunks(path, size, job, on_progress)

        await connection.send_file(started.upload, size, chunks)
        job = await jobs.get(job.id)
    if not wait:
        return job

    def changed(state: Job) -> None:
        progress = state.progress
        done, total = (progress.done, progress.total) if progress else (0, None)
        on_progress(UploadProgress(UploadPhase.INGESTING, done, total, state))

    return await jobs.wait(job, on_change=changed)


async def _hashed(path: Path, report: Report) -> tuple[int, str]:
    file = await off_loop(UploadFile, path)
    try:
        while await off_loop(file.read):
            report(UploadProgress(UploadPhase.HASHING, file.done, file.size))
        return file.size, file.sha256()
    finally:
        file.close()


async def _chunks(path: Path, size: int, job: Job, report: Report) -> AsyncGenerator[bytes, None]:
    file = await off_loop(UploadFile, path, size)
    try:
        while chunk := await off_loop(file.read):
            yield chunk
            report(UploadProgress(UploadPhase.SENDING, file.done, size, job))
    finally:
        file.close()
