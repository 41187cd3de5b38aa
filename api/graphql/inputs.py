"""Checks of arguments: what cannot be used is refused with BAD_INPUT and a remedy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from ...graph.search_records import TimeRange
from ...text.cleaning import without_surrogates
from .errors import ApiError, ErrorCode

LARGEST_PAGE = 100
DEFAULT_PAGE = 20
DEFAULT_LIST = 10
"""Entries of a list that hangs on one row, where they are few as a rule."""
LONGEST_QUESTION = 4_000
LONGEST_NAME = 500
LARGEST_FILTER = 100
LONGEST_KEY = 2_000


def bad_input(message: str, remedy: str, argument: str) -> ApiError:
    """The error for an argument that cannot be used; `argument` is its name."""
    return ApiError(message, remedy, code=ErrorCode.BAD_INPUT, argument=argument)


def page_size(first: int, argument: str = "first", *, most: int = LARGEST_PAGE) -> int:
    """`first` if a page may be so large.

    Raises:
        ApiError: it is below 1 or above `most`.
    """
    return number(first, argument, 1, most)


def number(given: int, argument: str, least: int, most: int) -> int:
    """`given` if it lies between `least` and `most`, both included.

    Raises:
        ApiError: it does not.
    """
    if not least <= given <= most:
        raise bad_input(
            f"`{argument}` is {given}.", f"Give a number from {least} to {most}.", argument
        )
    return given


def time_range(since: datetime | None, until: datetime | None) -> TimeRange:
    """The time from `since` to before `until`.

    Raises:
        ApiError: a time has no zone, or nothing lies between the two.
    """
    found = TimeRange(moment(since, "since"), moment(until, "until"))
    if found.empty:
        raise bad_input(
            "`since` is not before `until`.",
            "Exchange them, or leave one out: `since` is included, `until` is not.",
            "since",
        )
    return found


def moment(at: datetime | None, argument: str) -> datetime | None:
    """`at` in UTC.

    Raises:
        ApiError: it has no zone, or lies outside of the calendar in UTC.
    """
    if at is None:
        return None
    if at.tzinfo is None:
        raise bad_input(
            f"`{argument}` has no time zone.",
            "Add Z for UTC, or an offset such as +01:00.",
            argument,
        )
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise bad_input(
            f"`{argument}` lies outside of the years 1 to 9999.",
            "Give a time within them, or leave it out.",
            argument,
        ) from None


def plausible_now(now: datetime | None) -> datetime | None:
    """`now` in UTC, if times can be reckoned from it.

    Raises:
        ApiError: it has no zone, or lies too far from now.
    """
    found = moment(now, "now")
    if found is not None and not 1900 <= found.year <= 2200:
        raise bad_input(
            "`now` lies outside of the years 1900 to 2200.",
            "Give a time within them, or leave it out.",
            "now",
        )
    return found


def time_zone(name: str) -> ZoneInfo:
    """The time zone called `name`.

    Raises:
        ApiError: there is none.
    """
    try:
        return ZoneInfo(name[:64])
    except (OSError, ValueError, LookupError):
        raise bad_input(
            "`timeZone` is no known time zone.",
            "Give a name of the IANA time zone database, such as UTC or Europe/Berlin.",
            "timeZone",
        ) from None


def words(text: str, argument: str, *, longest: int = LONGEST_QUESTION) -> str:
    """`text`, safe to analyse.

    Raises:
        ApiError: it is empty or too long.
    """
    if not text.strip():
        raise bad_input(f"`{argument}` is empty.", "Say what to look for.", argument)
    return bounded(text, argument, longest=longest)


def bounded(text: str, argument: str, *, longest: int = LONGEST_NAME) -> str:
    """`text`, safe to analyse.

    Raises:
        ApiError: it is too long.
    """
    if len(text) > longest:
        raise bad_input(
            f"`{argument}` has {len(text)} characters.",
            f"Give at most {longest}.",
            argument,
        )
    return without_surrogates(text)


def keys(given: Sequence[str] | None, argument: str) -> tuple[str, ...] | None:
    """A list of ids for a filter; None if none was given.

    Raises:
        ApiError: there are too many, or one is too long.
    """
    if given is None:
        return None
    if len(given) > LARGEST_FILTER:
        raise bad_input(
            f"`{argument}` has {len(given)} entries.", f"Give at most {LARGEST_FILTER}.", argument
        )
    return tuple(dict.fromkeys(bounded(key, argument, longest=LONGEST_KEY) for key in given))
