"""Time expressions (first version)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A stretch of time a text speaks of."""

    start: datetime
    """In UTC, inclusive."""
    end: datetime
    """In UTC, exclusive."""
    surface: str
    """As it stands in the text."""


def find_time_ranges(text: str, now: datetime, tz: tzinfo = UTC) -> list[TimeRange]:
    """The stretches of time a text speaks of, in the order they are named."""
    return []
