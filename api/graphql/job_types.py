"""Ingest jobs as clients see them."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum
from typing import NewType

import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition

from ...graph.job_records import Job, JobKind, JobRejection, JobState
from ..jobs.route import PATH
from .types.describing import described, value

Long = NewType("Long", int)


def _whole(given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or abs(given) >= 2**53:
        raise GraphQLError("Long cannot represent what is no whole number of at most 53 bits.")
    return given


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

    APPEND = value(JobKind.APPEND, "Logs appended messages.")
    UPLOAD = value(JobKind.UPLOAD, "Logs an uploaded export.")
    REBUILD = value(JobKind.REBUILD, "Grows the forests anew.")


@strawberry.enum(name="IngestJobState", description="Where an ingest job stands.")
class IngestJobState(Enum):
    """Where an ingest job stands."""

    WAITING = value(JobState.WAITING, "Its file has not come yet.")
    QUEUED = value(JobState.QUEUED, "It waits for its turn, or for another attempt.")
    RUNNING = value(JobState.RUNNING, "It is being done.")
    DONE = value(JobState.DONE, "It is done: what it has added can be searched.")
    FAILED = value(JobState.FAILED, "It failed; `error` says why.")
    CANCELLED = value(JobState.CANCELLED, "Somebody has cancelled it.")


@strawberry.type(description="What a running job is at.")
class IngestJobProgress:
    """What a running job is at."""

    stage: str = described("What it does now, for a person.")
    done: int = described("How many items of this stage are done.")
    total: int | None = described("How many there are, about; null if unknown.")


@strawberry.type(
    description="What became of the message records that a job read: `read` is the sum of the "
    "others. Of a job that was interrupted they are those of its last attempt, to which what an "
    "earlier one had logged is unchanged."
)
class IngestJobCounts:
    """What became of the message records."""

    read: int = described("Records read.")
    added: int = described("New messages.")
    unchanged: int = described("Logged already.")
    superseded: int = described("Edits and deletions of known messages.")
    rejected: int = described("Could not be used; `rejections` says why.")


@strawberry.type(description="Something that could not be used. It holds no text of a message.")
class IngestJobRejection:
    """Something that could not be used."""

    place: str = described(
        "Where it stands: a file and line, or a path into the input such as `messages[3]`."
    )
    reason: str = described("What is wrong with it.")
    remedy: str = described("What can be done.")


@strawberry.type(description="Why a job failed.")
class IngestJobError:
    """Why a job failed."""

    message: str = described("What went wrong.")
    remedy: str = described("What can be done about it.")


@strawberry.type(
    description="A durable piece of work that brings messages into the workspace. It outlives "
    "every process: what was interrupted goes on, with nothing lost and nothing doubled."
)
class IngestJob:
    """A durable piece of work that brings messages into the workspace."""

    job: strawberry.Private[Job]
    id: strawberry.ID = described("Its key.")
    kind: IngestJobKind = described("What it does.")
    state: IngestJobState = described("Where it stands.")
    created_at: datetime = described("When it was asked for.")
    started_at: datetime | None = described("When it was first begun.")
    finished_at: datetime | None = described("When it ended.")
    attempt: int = described("How many times it was begun.")
    cancel_requested: bool = described("Whether it was told to stop, and has not yet.")
    filename: str | None = described("What the uploaded file is called.")
    bytes: Long | None = described("Size of the file.")
    counts: IngestJobCounts = described("What became of the records, once it is done.")
    rejections_total: int = described("How many things could not be used.")
    progress: IngestJobProgress | None = described("What it is at, while it runs.")
    error: IngestJobError | None = described(
        "Why it failed; before it has ended, why the last attempt did."
    )

    @strawberry.field(description="The first things that could not be used, at most 100.")
    def rejections(self) -> list[IngestJobRejection]:
        """The first things that could not be used."""
        return [_rejection(one) for one in self.job.receipt.rejections]


@strawberry.type(description="A header of a request.")
class UploadHeader:
    """A header of a request."""

    name: str = described("Its name.")
    value: str = described("Its value.")


@strawberry.type(
    description="Where the bytes of an upload are to be sent, with the same `Authorization` as "
    "this request. It can be repeated from the beginning until all have come."
)
class UploadTarget:
    """Where the bytes of an upload are to be sent."""

    url: str = described("The address, relative to that of the service.")
    method: str = described("The method of HTTP.")
    headers: list[UploadHeader] = described("Headers to send beside `Authorization`.")
    expires_at: datetime = described("Until when the file has to have come.")


@strawberry.type(description="An upload that was announced.")
class StartedUpload:
    """An upload that was announced."""

    job: IngestJob = described("The job that will ingest the file.")
    upload: UploadTarget | None = described(
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
        bytes=Long(job.file.bytes) if job.file else None,
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
