"""Looking at jobs."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import UTC, datetime
from typing import Annotated

import strawberry

from ...graph.job_records import Job
from ..access.principal import TokenScope
from ..errors import ApiError
from .context import Info
from .job_types import IngestJob, IngestJobState, job_type
from .permissions import Needs

LARGEST_PAGE = 100


@strawberry.type(description="A job, with its cursor.")
class IngestJobEdge:
    """A job, with its cursor."""

    node: IngestJob = strawberry.field(description="The job.")
    cursor: str = strawberry.field(description="Its place in the list, for `after`.")


@strawberry.type(description="Where a page of jobs lies in its list.")
class IngestJobPageInfo:
    """Where a page of jobs lies in its list."""

    has_next_page: bool = strawberry.field(description="Whether there are jobs behind this page.")
    end_cursor: str | None = strawberry.field(description="For `after` of the next page.")


@strawberry.type(description="One page of the jobs, the newest first.")
class IngestJobConnection:
    """One page of the jobs."""

    edges: list[IngestJobEdge] = strawberry.field(description="The jobs with their cursors.")
    page_info: IngestJobPageInfo = strawberry.field(description="Where the page lies.")

    @strawberry.field(description="The jobs without their cursors.")
    def nodes(self) -> list[IngestJob]:
        """The jobs without their cursors."""
        return [edge.node for edge in self.edges]


@strawberry.type
class JobQuery:
    """The root fields about jobs."""

    @strawberry.field(
        description="A job; null if there is none that the asker may see. Jobs are seen by the "
        "token that asked for them, by tokens of the same actor, and with the scope `admin`.",
        extensions=[Needs(TokenScope.INGEST)],
    )
    async def ingest_job(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="Its id.")],
    ) -> IngestJob | None:
        """A job."""
        job = await info.context.jobs.get(info.context.principal, id)
        return None if job is None else job_type(job)

    @strawberry.field(
        description="The jobs that the asker may see, the newest first.",
        extensions=[Needs(TokenScope.INGEST)],
    )
    async def ingest_jobs(
        self,
        info: Info,
        first: Annotated[int, strawberry.argument(description="How many, from 1 to 100.")] = 20,
        after: Annotated[
            str | None, strawberry.argument(description="The cursor to go on behind.")
        ] = None,
        state: Annotated[
            IngestJobState | None, strawberry.argument(description="Only those in this state.")
        ] = None,
    ) -> IngestJobConnection:
        """The jobs."""
        if not 1 <= first <= LARGEST_PAGE:
            raise ApiError(
                f"`first` is {first}.", f"Give a number from 1 to {LARGEST_PAGE}.", argument="first"
            )
        jobs = await info.context.jobs.page(
            info.context.principal,
            first + 1,
            after=None if after is None else _place(after),
            state=None if state is None else state.value,
        )
        edges = [IngestJobEdge(node=job_type(job), cursor=_cursor(job)) for job in jobs[:first]]
        return IngestJobConnection(
            edges=edges,
            page_info=IngestJobPageInfo(
                has_next_page=len(jobs) > first,
                end_cursor=edges[-1].cursor if edges else None,
            ),
        )


def _cursor(job: Job) -> str:
    text = json.dumps([job.created_at.isoformat(), job.key])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _place(cursor: str) -> tuple[datetime, str]:
    try:
        data = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars="-_", validate=True)
        created, key = json.loads(data)
        at = datetime.fromisoformat(created).astimezone(UTC)
        key.encode()
    except (ValueError, TypeError, AttributeError, OverflowError, binascii.Error, RecursionError):
        raise ApiError(
            "`after` is not a cursor of this list.",
            "Give a `cursor` or `pageInfo.endCursor` of ingestJobs.",
            argument="after",
        ) from None
    return at, key
