"""Following a job."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

import strawberry

from ..access.principal import TokenScope
from ..errors import ApiError, ErrorCode
from .context import Info
from .job_types import IngestJob, job_type
from .permissions import Needs
from .types.describing import arg


@strawberry.type
class JobSubscription:
    """The root fields that follow jobs."""

    @strawberry.subscription(
        description="A job as it is now, then each change of it, about one a second; ends when "
        "the job has ended.",
        extensions=[Needs(TokenScope.INGEST)],
    )
    async def ingest_job_progress(
        self,
        info: Info,
        id: Annotated[strawberry.ID, arg("The job's id.")],
    ) -> AsyncGenerator[IngestJob, None]:
        """A job, and each change of it."""
        jobs = info.context.jobs
        job = await jobs.get(info.context.principal, id)
        if job is None:
            raise ApiError(
                "There is no such job that the asker may see.",
                "ingestJobs lists those there are.",
                code=ErrorCode.NOT_FOUND,
            )
        async with aclosing(jobs.follow(job)) as states:
            async for state in states:
                yield job_type(state)
