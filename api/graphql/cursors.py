"""Cursors: opaque to clients, stable while rows arrive.

A cursor names the place in an order, not the number of a row: the value sorted by and the key.
What is inserted meanwhile moves no other row, so no page repeats a row or leaves one out. Where
the value itself changes, in lists by size or last activity, the row moves: towards the start as it
grows, past who reads on, and the other way where messages are deleted.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass

from ...graph.read_records import Rank
from .inputs import LONGEST_KEY, bad_input

_LONGEST = 8_000
_LARGEST_RANK = 2**60


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page begins: behind (`rank`, `key`)."""

    rank: Rank
    key: str


def encode(order: str, rank: Rank, key: str) -> str:
    """The cursor of a row in the list and order that `order` names."""
    return pack([order, rank, key])


def pack(content: list[Rank]) -> str:
    """A cursor that holds `content`."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode(order: str, cursor: str | None) -> Place | None:
    """The place that `cursor` names; None for the beginning.

    Raises:
        ApiError: it is none, or one of another list or order.
    """
    if cursor is None:
        return None
    content = payload(cursor)
    match content:
        case [str(given), int() | str() as rank, str(key)] if not isinstance(rank, bool):
            if given == order and len(key) <= LONGEST_KEY and _usable(rank):
                return Place(rank, key)
    raise not_a_cursor()


def payload(cursor: str) -> object:
    """What a cursor holds, unchecked.

    Raises:
        ApiError: it is none.
    """
    if len(cursor) > _LONGEST:
        raise not_a_cursor()
    try:
        data = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars="-_", validate=True)
        content: object = json.loads(data.decode())
        data.decode().encode()
    except (ValueError, binascii.Error, RecursionError):
        raise not_a_cursor() from None
    return content


def not_a_cursor() -> Exception:
    """The error for what was not handed out as a cursor of this list."""
    return bad_input(
        "`after` is not a cursor of this list.",
        "Give a `cursor` or `pageInfo.endCursor` of the same field with the same order, "
        "or leave it out to begin at the start.",
        "after",
    )


def _usable(rank: Rank) -> bool:
    if isinstance(rank, int):
        return abs(rank) < _LARGEST_RANK
    # A lone surrogate comes through JSON as an escape, and cannot be sent to the database.
    return len(rank) <= LONGEST_KEY and rank == rank.encode("utf-8", "ignore").decode()
