"""What brings messages in: appends, uploads, rebuilds, and the jobs behind them."""

from __future__ import annotations

from typing import Annotated

import strawberry

from ..access.principal import TokenScope
from ..errors import ApiError
from .context import Info
from .job_inputs import AppendMessagesInput, RebuildInput, StartUploadInput, channel_names
from .job_types import IngestJob, StartedUpload, job_type, started_upload
from .permissions import Needs
from .types.describing import arg

LONGEST_WAIT_S = 30.0

JobId = Annotated[strawberry.ID, arg("The job's id.")]


@strawberry.type
class JobMutation:
    """The root fields that bring messages in."""

    @strawberry.mutation(
        description="Append messages. They are durable when this answers, and can be searched "
        "once the job is DONE, which is waited for as long as `waitSeconds` says. A record that "
        "cannot be used is among the job's `rejections`, with its index; the others land.",
        extensions=[Needs(TokenScope.INGEST)],
    )
    async def append_messages(
        self,
        info: Info,
        input: Annotated[AppendMessagesInput, arg("The messages.")],
    ) -> IngestJob:
        """Append messages."""
        context = info.context
        if not 0 <= input.wait_seconds <= LONGEST_WAIT_S:
            raise ApiError(
                f"`waitSeconds` is not between 0 and {LONGEST_WAIT_S:g}.",
                "Wait for less, and follow the job with ingestJobProgress.",
                argument="waitSeconds",
            )
        job = await context.jobs.append(
            context.principal,
            input.appended(),
            input.client_request_id,
            wait_s=input.wait_seconds,
        )
        return job_type(job)

    @strawberry.mutation(
        description="Announce an export. Send its bytes to `upload.url` then, with the same "
        "token; the job is queued when they have come whole.",
        extensions=[Needs(TokenScope.INGEST)],
    )
    async def start_upload(
        self,
        info: Info,
        input: Annotated[StartUploadInput, arg("The file.")],
    ) -> StartedUpload:
        """Announce an export."""
        context = info.context
        job = await context.jobs.start_upload(
            context.principal, input.request(), input.client_request_id
        )
        return started_upload(job)

    @strawberry.mutation(
        description="Grow the forests anew from the log, as if it had just come: all of them, or "
        "those that the messages of some channels stand in.",
        extensions=[Needs(TokenScope.ADMIN)],
    )
    async def rebuild(
        self,
        info: Info,
        input: Annotated[RebuildInput | None, arg("What; left out, everything.")] = None,
    ) -> IngestJob:
        """Grow the forests anew."""
        context = info.context
        given = input or RebuildInput()
        job = await context.jobs.rebuild(
            context.principal,
            context.scope,
            channel_names(given.channels),
            given.client_request_id,
        )
        return job_type(job)

    @strawberry.mutation(
        description="Cancel a job that has not ended. What it has logged stays; what of that is "
        "not in the forests yet gets there with the next job.",
        extensions=[Needs(TokenScope.INGEST)],
    )
    async def cancel_job(self, info: Info, id: JobId) -> IngestJob:
        """Cancel a job."""
        return job_type(await info.context.jobs.cancel(info.context.principal, id))

    @strawberry.mutation(
        description="Do a job again that has failed or was cancelled, as long as its file is "
        "kept; any other one stays as it is.",
        extensions=[Needs(TokenScope.INGEST)],
    )
    async def retry_job(self, info: Info, id: JobId) -> IngestJob:
        """Do a job again."""
        return job_type(await info.context.jobs.retry(info.context.principal, id))
