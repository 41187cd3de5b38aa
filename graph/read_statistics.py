"""Counts for charts: by time, by channel, by actor, by artifact. All by visible messages alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from .read_records import Bucket, Selection, Totals
from .read_rows import bounds, maybe_utc, scoped
from .records import Scope
from .search_rows import utc
from .store import ForestStore


class StatisticsReads:
    """Counts. `scope` comes first: what it does not cover is not counted."""

    def __init__(self, store: ForestStore) -> None:
        self._store = store

    async def totals(self, scope: Scope, selection: Selection) -> Totals:
        """Numbers of the selected messages."""
        row = (await self._read("reading/message_count", scope, selection))[0]
        return Totals(
            row["number"],
            maybe_utc(row["first"]),
            maybe_utc(row["last"]),
            row["channels"],
            row["actors"],
        )

    async def over_time(
        self, scope: Scope, selection: Selection, bucket: Bucket, zone: ZoneInfo
    ) -> dict[datetime, int]:
        """Number of messages by start of the bucket (UTC); buckets without any are missing.

        Bound the time first: there are as many buckets as lie in it (`starts_of_buckets`).
        """
        rows = await self._read(
            "reading/messages_over_time", scope, selection, unit=bucket.value, zone=zone.key
        )
        return {utc(start): number for start, number in rows[0]["rows"]}

    async def channels(
        self, scope: Scope, selection: Selection, *, limit: int
    ) -> list[tuple[str, int]]:
        """Keys of the most active channels with their numbers of messages."""
        return await self._ranking("reading/active_channels", scope, selection, limit)

    async def actors(
        self, scope: Scope, selection: Selection, *, limit: int
    ) -> list[tuple[str, int]]:
        """Keys of those who wrote the most messages, with the numbers."""
        return await self._ranking("reading/active_actors", scope, selection, limit)

    async def artifacts(
        self, scope: Scope, selection: Selection, *, limit: int
    ) -> list[tuple[str, int]]:
        """Keys of the artifacts that the most messages are about, with the numbers."""
        return await self._ranking("reading/active_artifacts", scope, selection, limit)

    async def _ranking(
        self, name: str, scope: Scope, selection: Selection, limit: int
    ) -> list[tuple[str, int]]:
        rows = await self._read(name, scope, selection, limit=limit)
        return [(key, number) for key, number in rows[0]["rows"]]

    async def _read(
        self, name: str, scope: Scope, selection: Selection, **params: Any
    ) -> list[dict[str, Any]]:
        return await self._store.read(
            name,
            {
                **scoped(scope),
                **bounds(selection.within),
                "prefix": f"{scope.workspace}/c/",
                "channel": selection.channel,
                "author": selection.author,
                **params,
            },
        )


def starts_of_buckets(
    since: datetime, until: datetime, bucket: Bucket, zone: ZoneInfo
) -> Iterator[datetime]:
    """When each bucket begins that overlaps `since` to before `until`, in `zone`'s own time.

    Days, weeks and months begin at the zone's midnight, which is 23 or 25 hours away from the next
    one when its clocks change.
    """
    at = _floor(since, bucket, zone)
    while at < until:
        yield at
        at = _next(at, bucket, zone)


def end_of_bucket(start: datetime, bucket: Bucket, zone: ZoneInfo) -> datetime:
    """When the bucket ends that begins at `start`."""
    return _next(start, bucket, zone)


def _floor(at: datetime, bucket: Bucket, zone: ZoneInfo) -> datetime:
    local = at.astimezone(zone)
    if bucket is Bucket.HOUR:
        # In UTC, since an hour of the zone may come twice.
        return (at - timedelta(minutes=local.minute, seconds=local.second,
                               microseconds=local.microsecond)).astimezone(zone)  # fmt: skip
    local = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    if bucket is Bucket.WEEK:
        local -= timedelta(days=local.weekday())
    elif bucket is Bucket.MONTH:
        local = local.replace(day=1)
    return local


def _next(at: datetime, bucket: Bucket, zone: ZoneInfo) -> datetime:
    if bucket is Bucket.HOUR:
        return _floor(at.astimezone(UTC) + timedelta(hours=1), bucket, zone)
    days = {Bucket.DAY: 1, Bucket.WEEK: 7, Bucket.MONTH: 32}[bucket]
    # Arithmetic within one zone goes by the clock on the wall, not by hours that pass.
    return _floor(at.replace(fold=0) + timedelta(days=days), bucket, zone)
