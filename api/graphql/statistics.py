"""The query of what a dashboard draws."""

from __future__ import annotations

from typing import Annotated

import strawberry

from ...graph.read_records import Selection
from .inputs import LONGEST_KEY, bounded, time_range
from .types.describing import arg
from .types.statistics import Statistics
from .types.subject import Since, Until


@strawberry.type
class StatisticsQuery:
    """The root field of what a dashboard draws."""

    @strawberry.field(
        description="Counts of the messages that the asker may see: over time, by channel, by "
        "person, by artifact."
    )
    def statistics(
        self,
        since: Since = None,
        until: Until = None,
        channel: Annotated[
            strawberry.ID | None, arg("Key of a channel: only its messages.")
        ] = None,
        author: Annotated[
            strawberry.ID | None, arg("Key of an actor: only what they wrote.")
        ] = None,
    ) -> Statistics:
        """Counts of the messages that the asker may see."""
        return Statistics(
            selection=Selection(
                time_range(since, until), _key(channel, "channel"), _key(author, "author")
            )
        )


def _key(given: strawberry.ID | None, argument: str) -> str | None:
    return None if given is None else bounded(str(given), argument, longest=LONGEST_KEY)
