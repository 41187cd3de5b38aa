"""Reading the stamps of messages: UTC times as digits that sort."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache


def minutes_between(first: str, second: str) -> float:
    """Minutes from one stamp to another; negative where they overlap, infinite if one is empty."""
    if not first or not second:
        return float("inf")
    return (_moment(second) - _moment(first)).total_seconds() / 60


@lru_cache(maxsize=1 << 14)
def _moment(stamp: str) -> datetime:
    # The quickest of the ways to read it by far, and every leaf passes here, with the stamps of
    # one message in each of its views. All are in UTC.
    return datetime.fromisoformat(f"{stamp[:8]}T{stamp[8:14]}")
