"""Looking at jobs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import strawberry

from ..access.principal import TokenScope
from .context import Info
from .cursors import decode, encode, not_a_cursor
from .inputs import page_size
from .job_types import IngestJob, IngestJobState, job_type
from .permissions import Needs
from .types.describing import arg
from .types.pages import DEFAULT_PAGE, After, Connection, Edge, First, page_info

_ORDER = "ingestJobs"


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
        id: Annotated[strawberry.ID, arg("Its id.")],
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
        first: First = DEFAULT_PAGE,
        after: After = None,
        state: Annotated[IngestJobState | None, arg("Only those in this state.")] = None,
    ) -> Connection[IngestJob]:
        """The jobs."""
        size = page_size(first)
        jobs = await info.context.jobs.page(
            info.context.principal,
            size + 1,
            after=_place(after),
            state=None if state is None else state.value,
        )
        edges = [
            Edge(node=job_type(job), cursor=encode(_ORDER, job.created_at.isoformat(), job.key))
            for job in jobs[:size]
        ]
        return Connection(
            edges=edges,
            page_info=page_info(edges, len(jobs) > size, behind=after is not None),
            total_count=None,
        )


def _place(after: str | None) -> tuple[datetime, str] | None:
    place = decode(_ORDER, after)
    if place is None:
        return None
    try:
        return datetime.fromisoformat(str(place.rank)).astimezone(UTC), place.key
    except (ValueError, OverflowError):
        raise not_a_cursor() from None
