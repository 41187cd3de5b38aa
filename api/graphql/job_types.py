"""Ingest jobs as clients see them."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum
from typing import Any, NewType

import strawberry
from strawberry.types.scalar import ScalarDefinition

from ...graph.job_records import Job, JobKind, JobRejection, JobState
from ..jobs.route import PATH


def _described(text: str) -> Any:
    return strawberry.field(description=text)


Long = NewType("Long", int)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**53:
        raise ValueError("Long cannot represent what is no whole number of at most 53 bits.")
    return value


SCALARS: dict[object, ScalarDefinition] = {
    Long: strawberry.scalar(
        name="Long",
        description="A whole number up to 9,007,199,254,740,991, such as the size of a file.",
        serialize=int,
        parse_value=_whole,
    )
}
"""Scalars of the schema that GraphQL does not have."""


@strawberry.enum(name="IngestJobKind", description="What an ingest job does.")
class IngestJobKind(Enum):
    """What an ingest job does."""

    APPEND = strawberry.enum_value(JobKind.APPEND, description="Logs appended messages.")
    UPLOAD = strawberry.enum_value(JobKind.UPLOAD, description="Logs an uploaded export.")
    REBUILD = strawberry.enum_value(JobKind.REBUILD, description="Grows the forests anew.")


@strawberry.enum(name="IngestJobState", description="Where an ingest job stands.")
class IngestJobState(Enum):
    """Where an ingest job stands."""

    WAITING = strawberry.enum_value(JobState.WAITING, description="Its file has not come yet.")
    QUEUED = strawberry.enum_value(
        JobState.QUEUED, description="It waits for its turn, or for another attempt."
    )
    RUNNING = strawberry.enum_value(JobState.RUNNING, description="It is being done.")
    DONE = strawberry.enum_value(
        JobState.DONE, description="It is done: what it has added can be searched."
    )
    FAILED = strawberry.enum_value(JobState.FAILED, description="It failed; `error` says why.")
    CANCELLED = strawberry.enum_value(JobState.CANCELLED, description="Somebody has cancelled it.")


@strawberry.type(description="What a running job is at.")
class IngestJobProgress:
    """What a running job is at."""

    stage: str = _described("What it does now, for a person.")
    done: int = _described("How many items of this stage are done.")
    total: int | None = _described("How many there are, about; null if unknown.")


@strawberry.type(
    description="What became of the message records that a job read: `read` is the sum of the "
    "others. Of a job that was interrupted they are those of its last attempt, to which what an "
    "earlier one had logged is unchanged."
)
class IngestJobCounts:
    """What became of the message records."""

    read: int = _described("Records read.")
    added: int = _described("New messages.")
    unchanged: int = _described("Logged already.")
    superseded: int = _described("Edits and deletions of known messages.")
    rejected: int = _described("Could not be used; `rejections` says why.")


@strawberry.type(description="Something that could not be used. It holds no text of a message.")
class IngestJobRejection:
    """Something that could not be used."""

    place: str = _described(
        "Where it stands: a file and line, or a path into the input such as `messages[3]`."
    )
    reason: str = _described("What is wrong with it.")
    remedy: str = _described("What can be done.")


@strawberry.type(description="Why a job failed.")
class IngestJobError:
    """Why a job failed."""

    message: str = _described("What went wrong.")
    remedy: str = _described("What can be done about it.")


@strawberry.type(
    description="A durable piece of work that brings messages into the workspace. It outlives "
    "every process: what was interrupted goes on, with nothing lost and nothing doubled."
)
class IngestJob:
    """A durable piece of work that brings messages into the workspace."""

    job: strawberry.Private[Job]
    id: strawberry.ID = _described("Its key.")
    kind: IngestJobKind = _described("What it does.")
    state: IngestJobState = _described("Where it stands.")
    created_at: datetime = _described("When it was asked for.")
    started_at: datetime | None = _described("When it was first begun.")
    finished_at: datetime | None = _described("When it ended.")
    attempt: int = _described("How many times it was begun.")
    cancel_requested: bool = _described("Whether it was told to stop, and has not yet.")
    filename: str | None = _described("What the uploaded file is called.")
    bytes: Long | None = _described("Size of the file.")
    counts: IngestJobCounts = _described("What became of the records, once it is done.")
    rejections_total: int = _described("How many things could not be used.")
    progress: IngestJobProgress | None = _described("What it is at, while it runs.")
    error: IngestJobError | None = _described(
        "Why it failed; before it has ended, why the last attempt did."
    )

    @strawberry.field(description="The first things that could not be used, at most 100.")
    def rejections(self) -> list[IngestJobRejection]:
        """The first things that could not be used."""
        return [_rejection(one) for one in self.job.receipt.rejections]


@strawberry.type(description="A header of a request.")
class UploadHeader:
    """A header of a request."""

    name: str = _described("Its name.")
    value: str = _described("Its value.")


@strawberry.type(
    description="Where the bytes of an upload are to be sent, with the same `Authorization` as "
    "this request. It can be repeated from the beginning until all have come."
)
class UploadTarget:
    """Where the bytes of an upload are to be sent."""

    url: str = _described("The address, relative to that of the service.")
    method: str = _described("The method of HTTP.")
    headers: list[UploadHeader] = _described("Headers to send beside `Authorization`.")
    expires_at: datetime = _described("Until when the file has to have come.")


@strawberry.type(description="An upload that was announced.")
class StartedUpload:
    """An upload that was announced."""

    job: IngestJob = _described("The job that will ingest the file.")
    upload: UploadTarget | None = _described(
        "Where to send the file; null if it has come already, of a request that is repeated."
    )


def job_type(job: Job) -> IngestJob:
    """The job for a client."""
    counts = job.receipt.counts
    running = job.state is JobState.RUNNING
    return IngestJob(
        job=job,
        id=strawberry.ID(job.key),
        kind=IngestJobKind(job.kind),
        state=IngestJobState(job.state),
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        attempt=job.attempt,
        cancel_requested=job.cancel_requested,
        filename=job.file.filename if job.file and job.kind is JobKind.UPLOAD else None,
        bytes=job.file.bytes if job.file else None,
        counts=IngestJobCounts(
            read=counts.read,
            added=counts.added,
            unchanged=counts.unchanged,
            superseded=counts.superseded,
            rejected=counts.rejected,
        ),
        rejections_total=job.receipt.rejections_total,
        progress=IngestJobProgress(
            stage=job.progress.stage, done=job.progress.done, total=job.progress.total
        )
        if running
        else None,
        error=IngestJobError(message=job.error, remedy=job.remedy) if job.error else None,
    )


def started_upload(job: Job) -> StartedUpload:
    """A job that waits for its file, and where to send that."""
    if job.state is not JobState.WAITING:
        return StartedUpload(job=job_type(job), upload=None)
    target = UploadTarget(
        url=f"{PATH}{job.id}",
        method="PUT",
        headers=[UploadHeader(name="Content-Type", value="application/octet-stream")],
        expires_at=job.expires_at or job.created_at + timedelta(days=1),
    )
    return StartedUpload(job=job_type(job), upload=target)


def _rejection(one: JobRejection) -> IngestJobRejection:
    return IngestJobRejection(place=one.place, reason=one.reason, remedy=one.remedy)
