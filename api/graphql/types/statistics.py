"""What a dashboard draws: counts over time, and what is most active."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Annotated

import strawberry

from ....graph.read_records import Bucket, Selection, Totals
from ....graph.read_statistics import end_of_bucket, starts_of_buckets
from ....graph.search_records import TimeRange
from .. import inputs
from ..context import Info
from ..inputs import bad_input, page_size
from .catalog import Actor, Artifact, Channel
from .describing import arg, cost, described
from .enums import TimeUnit
from .subject import Period, period

MOST_BUCKETS = 1_000
_TOP = 10

Top = Annotated[int, arg("How many at most, from 1 to 100.")]


@strawberry.type(description="How many messages were posted within one stretch of time.")
class TimeBucket:
    """How many messages were posted within one stretch of time."""

    start: datetime = described("When it begins, with the offset of the time zone then.")
    end: datetime = described("When it ends; not included.")
    messages: int = described("How many messages were posted.")


@strawberry.type(description="A channel with the number of its messages.")
class ChannelActivity:
    """A channel with the number of its messages."""

    key: strawberry.Private[str]
    messages: int = described("How many messages were posted in it.")

    @strawberry.field(description="The channel.")
    async def channel(self, info: Info) -> Channel | None:
        """The channel."""
        found = await info.context.loaders.channel.load(self.key)
        return None if found is None else Channel.of(found)


@strawberry.type(description="A person or bot with the number of their messages.")
class ActorActivity:
    """A person or bot with the number of their messages."""

    key: strawberry.Private[str]
    messages: int = described("How many messages they wrote.")

    @strawberry.field(description="Who wrote them.")
    async def actor(self, info: Info) -> Actor | None:
        """Who wrote them."""
        found = await info.context.loaders.actor.load(self.key)
        return None if found is None else Actor.of(found)


@strawberry.type(description="An artifact with the number of messages about it.")
class ArtifactActivity:
    """An artifact with the number of messages about it."""

    key: strawberry.Private[str]
    messages: int = described("How many messages are about it.")

    @strawberry.field(description="The artifact.")
    async def artifact(self, info: Info) -> Artifact | None:
        """The artifact."""
        found = await info.context.loaders.artifact.load(self.key)
        return None if found is None else Artifact.of(found)


@strawberry.type(
    description="Counts of messages. Only those that the asker may see are counted, and only those "
    "that are current: an edited message once, a deleted one not at all."
)
class Statistics:
    """Counts of messages."""

    selection: strawberry.Private[Selection]

    @strawberry.field(description="How many messages there are.", directives=cost(20))
    async def messages(self, info: Info) -> int:
        """How many messages there are."""
        return (await self._totals(info)).messages

    @strawberry.field(
        description="From the first of them to the last; null if there is none.",
        directives=cost(20),
    )
    async def period(self, info: Info) -> Period | None:
        """From the first of them to the last."""
        totals = await self._totals(info)
        return period(totals.first, totals.last)

    @strawberry.field(description="In how many channels they are.", directives=cost(20))
    async def channel_count(self, info: Info) -> int:
        """In how many channels they are."""
        return (await self._totals(info)).channels

    @strawberry.field(description="By how many people and bots they are.", directives=cost(20))
    async def actor_count(self, info: Info) -> int:
        """By how many people and bots they are."""
        return (await self._totals(info)).actors

    @strawberry.field(
        description="Messages over time: every stretch from `since` to `until`, empty ones too; "
        "without them, from the first message to the last. At most 1,000 stretches.",
        directives=cost(50, 1),
    )
    async def messages_over_time(
        self,
        info: Info,
        unit: Annotated[TimeUnit, arg("How wide the stretches are.")] = TimeUnit.DAY,
        time_zone: Annotated[
            str, arg("IANA name of the time zone whose hours, days, weeks and months are meant.")
        ] = "UTC",
    ) -> list[TimeBucket]:
        """Messages over time."""
        loaders = info.context.loaders
        zone, bucket = inputs.time_zone(time_zone), Bucket(unit.value)
        within = self.selection.within
        since, until = within.since, within.until
        if since is None or until is None:
            totals = await self._totals(info)
            if totals.first is None or totals.last is None:
                return []
            since = since or totals.first
            until = until or totals.last + timedelta(microseconds=1)
        try:
            # One more than may be, and one for the end of the last.
            starts = list(islice(starts_of_buckets(since, until, bucket, zone), MOST_BUCKETS + 1))
            if len(starts) > MOST_BUCKETS:
                raise bad_input(
                    f"There are more than {MOST_BUCKETS} stretches of that width.",
                    "Choose wider ones, or give `since` and `until`.",
                    "unit",
                )
            if not starts:
                return []
            ends = [*starts[1:], end_of_bucket(starts[-1], bucket, zone)]
        except OverflowError:
            raise bad_input(
                "The stretches leave the calendar.",
                "Give times within the years 2 to 9998.",
                "since",
            ) from None
        counted = await loaders.reading.statistics.over_time(
            loaders.scope,
            Selection(TimeRange(since, until), self.selection.channel, self.selection.author),
            bucket,
            zone,
        )
        return [
            TimeBucket(start=start, end=end, messages=counted.get(start.astimezone(UTC), 0))
            for start, end in zip(starts, ends, strict=True)
        ]

    @strawberry.field(
        description="The channels with the most messages, the most active first.",
        directives=cost(50),
    )
    async def most_active_channels(self, info: Info, first: Top = _TOP) -> list[ChannelActivity]:
        """The channels with the most messages."""
        loaders = info.context.loaders
        found = await loaders.reading.statistics.channels(
            loaders.scope, self.selection, limit=page_size(first)
        )
        return [ChannelActivity(key=key, messages=number) for key, number in found]

    @strawberry.field(
        description="Who wrote the most messages, the most active first.", directives=cost(50)
    )
    async def most_active_actors(self, info: Info, first: Top = _TOP) -> list[ActorActivity]:
        """Who wrote the most messages."""
        loaders = info.context.loaders
        found = await loaders.reading.statistics.actors(
            loaders.scope, self.selection, limit=page_size(first)
        )
        return [ActorActivity(key=key, messages=number) for key, number in found]

    @strawberry.field(
        description="The artifacts that the most messages are about, the most active first.",
        directives=cost(50),
    )
    async def most_active_artifacts(self, info: Info, first: Top = _TOP) -> list[ArtifactActivity]:
        """The artifacts that the most messages are about."""
        loaders = info.context.loaders
        found = await loaders.reading.statistics.artifacts(
            loaders.scope, self.selection, limit=page_size(first)
        )
        return [ArtifactActivity(key=key, messages=number) for key, number in found]

    async def _totals(self, info: Info) -> Totals:
        return await info.context.loaders.totals.load(self.selection)
