# Made from ../_async by `make client`; change that instead.
"""Uploads: a file is hashed, announced, sent, and followed until it is ingested."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

from .. import writing
from ..files import UploadFile, UploadPhase, UploadProgress
from ..job_models import Job
from ..waiting import directly
from .connection import Connection
from .jobs import Jobs

Report = Callable[[UploadProgress], None]


def upload(
    connection: Connection,
    path: Path,
    *,
    wait: bool,
    on_progress: Report,
    time_zone: str | None,
    permalink_base: str | None,
    client_request_id: str | None,
) -> Job:
    """See `ForestClient.upload`."""
    size, sha256 = _hashed(path, on_progress)
    operation = writing.start_upload(
        path.name, size, sha256, time_zone, permalink_base, client_request_id
    )
    started = connection.run(operation)
    job = started.job
    jobs = Jobs(connection)
    if started.upload is not None:

        def chunks() -> Generator[bytes, None]:
            return _chunks(path, size, job, on_progress)

        connection.send_file(started.upload, size, chunks)
        job = jobs.get(job.id)
    if not wait:
        return job

    def changed(state: Job) -> None:
        progress = state.progress
        done, total = (progress.done, progress.total) if progress else (0, None)
        on_progress(UploadProgress(UploadPhase.INGESTING, done, total, state))

    return jobs.wait(job, on_change=changed)


def _hashed(path: Path, report: Report) -> tuple[int, str]:
    file = directly(UploadFile, path)
    try:
        while directly(file.read):
            report(UploadProgress(UploadPhase.HASHING, file.done, file.size))
        return file.size, file.sha256()
    finally:
        file.close()


def _chunks(path: Path, size: int, job: Job, report: Report) -> Generator[bytes, None]:
    file = directly(UploadFile, path, size)
    try:
        while chunk := directly(file.read):
            yield chunk
            report(UploadProgress(UploadPhase.SENDING, file.done, size, job))
    finally:
        file.close()
