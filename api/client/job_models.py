"""Jobs, which bring messages in."""

from __future__ import annotations

from datetime import datetime

from .base_models import Result
from .enums import JobKind, JobState

_ENDED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


class JobCounts(Result):
    """What became of the records of messages: `read` is the sum of the others."""

    read: int
    added: int
    unchanged: int
    superseded: int
    rejected: int


class JobProgress(Result):
    """What a running job is at: `done` of `total`, None if unknown, items of `stage`."""

    stage: str
    done: int
    total: int | None = None


class JobRejection(Result):
    """Something that could not be used: where it stands, why, and what can be done."""

    place: str
    reason: str
    remedy: str


class JobError(Result):
    """Why a job failed, or why its last attempt did."""

    message: str
    remedy: str


class Job(Result):
    """A durable piece of work. It outlives the service's process.

    Attributes:
        id: its key, as `client.jobs` takes it.
        attempt: how many times it was begun.
        filename, bytes: of the file that it reads.
        rejections: the first of `rejections_total`.
        progress: while it runs.
    """

    id: str
    kind: JobKind
    state: JobState
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    attempt: int
    cancel_requested: bool
    filename: str | None = None
    bytes: int | None = None
    counts: JobCounts
    rejections_total: int
    rejections: tuple[JobRejection, ...]
    progress: JobProgress | None = None
    error: JobError | None = None

    @property
    def done(self) -> bool:
        """Whether it went well: what it has added can be searched."""
        return self.state == JobState.DONE

    @property
    def ended(self) -> bool:
        """Whether nothing will happen any more, unless it is retried."""
        return self.state in _ENDED


class UploadHeader(Result):
    """A header of a request."""

    name: str
    value: str


class UploadTarget(Result):
    """Where the bytes of an upload are to be sent."""

    url: str
    method: str
    headers: tuple[UploadHeader, ...]
    expires_at: datetime


class StartedUpload(Result):
    """An upload that was announced; `upload` is None if the file has come already."""

    job: Job
    upload: UploadTarget | None = None
