"""Arithmetic of calendar periods, in the local time of whoever asks."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import datetime, timedelta

FIRST_YEAR, LAST_YEAR = 1970, 2199


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of local time; both ends without a zone, the end exclusive."""

    start: datetime
    end: datetime


def day(year: int, month: int, number: int) -> Period | None:
    """One day; None where the calendar has none such."""
    if not FIRST_YEAR <= year <= LAST_YEAR or not 1 <= month <= 12:
        return None
    if not 1 <= number <= calendar.monthrange(year, month)[1]:
        return None
    start = datetime(year, month, number)  # noqa: DTZ001  (local time, made aware by the caller)
    return Period(start, start + timedelta(days=1))


def months(year: int, first: int, count: int = 1) -> Period | None:
    """`count` whole months from `first` (1 to 12) on."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    last = year * 12 + first - 1 + count
    return Period(
        datetime(year, first, 1),  # noqa: DTZ001
        datetime(last // 12, last % 12 + 1, 1),  # noqa: DTZ001
    )


def latest_day(now: datetime, month: int, number: int) -> Period | None:
    """The last time that day of the year came, today included."""
    return _latest(now, [day(now.year - back, month, number) for back in range(9)])


def latest_day_of_month(now: datetime, number: int) -> Period | None:
    """The last time a month had its `number`th day, today included."""
    ordinals = [now.year * 12 + now.month - 1 - back for back in range(3)]
    return _latest(now, [day(ordinal // 12, ordinal % 12 + 1, number) for ordinal in ordinals])


def latest_months(now: datetime, first: int, count: int = 1) -> Period | None:
    """The last time those months of a year began, the current ones included."""
    return _latest(now, [months(now.year - back, first, count) for back in range(2)])


def weekday(now: datetime, number: int, shift: int | None) -> Period:
    """A day of the week; 0 is Monday.

    Args:
        now: the moment of asking.
        number: the day.
        shift: None for the latest with today, -1 for the latest before today, 0 for the one of this
            week, 1 for the next after today.
    """
    today = midnight(now)
    if shift == 0:
        start = today + timedelta(days=number - today.weekday())
    elif shift == 1:
        start = today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)
    elif shift == -1:
        start = today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
    else:
        start = today - timedelta(days=(today.weekday() - number) % 7)
    return Period(start, start + timedelta(days=1))


def shifted(now: datetime, unit: str, shift: int) -> Period | None:
    """The calendar unit `shift` units from the one `now` is in; weeks begin on Monday."""
    today = midnight(now)
    if unit == "hour":
        start = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=shift)
        return Period(start, start + timedelta(hours=1))
    if unit == "day":
        start = today + timedelta(days=shift)
        return Period(start, start + timedelta(days=1))
    if unit in ("week", "weekend"):
        monday = today + timedelta(days=7 * shift - today.weekday())
        start = monday + timedelta(days=5) if unit == "weekend" else monday
        return Period(start, monday + timedelta(days=7))
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    ordinal = (now.year * 12 + now.month - 1) // size * size + shift * size
    return months(ordinal // 12, ordinal % 12 + 1, size)


def rolling(now: datetime, unit: str, count: int, *, ahead: bool = False) -> Period | None:
    """The `count` units that end now, from the beginning of their first day, or that begin now."""
    if unit == "hour":
        span = timedelta(hours=count)
        return Period(now, now + span) if ahead else Period(now - span, now)
    today = midnight(now)
    edge = _moved(today, unit, count if ahead else -count)
    if edge is None:
        return None
    tomorrow = today + timedelta(days=1)
    return Period(tomorrow, edge + timedelta(days=1)) if ahead else Period(edge, tomorrow)


def ago(now: datetime, unit: str, count: int) -> Period | None:
    """The unit of the calendar that lies `count` units back."""
    return shifted(now, unit, -count)


def third(period: Period, part: int) -> Period:
    """The early, middle or late third (0, 1, 2) of a period, in whole days."""
    days = (period.end - period.start).days
    edges = [period.start + timedelta(days=round(days * step / 3)) for step in range(4)]
    return Period(edges[part], edges[part + 1])


def midnight(moment: datetime) -> datetime:
    """The beginning of its day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def in_year(moment: datetime, year: int) -> datetime:
    """The same day and month of another year; 29 February becomes the 28th where there is none."""
    last = calendar.monthrange(year, moment.month)[1]
    return moment.replace(year=year, day=min(moment.day, last))


def _latest(now: datetime, candidates: list[Period | None]) -> Period | None:
    return next((one for one in candidates if one is not None and one.start <= now), None)


def _moved(today: datetime, unit: str, count: int) -> datetime | None:
    if unit in ("day", "week", "weekend"):
        return today + timedelta(days=count * (1 if unit == "day" else 7))
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    ordinal = today.year * 12 + today.month - 1 + count * size
    year, month = ordinal // 12, ordinal % 12 + 1
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    return today.replace(
        year=year, month=month, day=min(today.day, calendar.monthrange(year, month)[1])
    )
