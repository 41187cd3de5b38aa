"""Stretches of time a question speaks of: `in May`, `since last week`, `between 3 and 10 April`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from . import periods
from .periods import Period
from .time_atoms import Atom, find_atoms
from .time_foreign import languages_of
from .time_words import DAYS, MONTHS, UNITS, WEEKDAYS

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
"""Where a range without a beginning (`before June`) begins."""
LONGEST_TEXT = 2000
"""Only so many characters are read: a question is short, and the cost stays bounded."""


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A stretch of time a text speaks of."""

    start: datetime
    """In UTC, inclusive."""
    end: datetime
    """In UTC, exclusive."""
    surface: str
    """As it stands in the text, with the word that opens or closes the range."""


def find_time_ranges(text: str, now: datetime, tz: tzinfo = UTC) -> list[TimeRange]:
    """The stretches of time a text speaks of, in the order they are named.

    What is named without a year is the last that has begun: in March 2027, `in May` is May 2026.
    A weekday is the last one, today included. Weeks begin on Monday, quarters in January.
    `since` lasts until `now` (to the end of its day); `before` and `until` begin at `EARLIEST`.
    English, German, French, Spanish, Italian, Russian, Japanese, Chinese and Korean are read in
    full; of other languages single dates, and words such as yesterday and last week, by
    `dateparser`, which takes half a second to load and then some milliseconds (`needs_library`).

    Args:
        text: the question; any string is accepted.
        now: the moment of asking. Without a zone it is a time in `tz`.
        tz: the zone in which the asker's days begin.
    """
    text = text[:LONGEST_TEXT]
    folded = _folded(text)
    if not _may_speak_of_time(folded):
        return []
    local = now if now.tzinfo is None else now.astimezone(tz).replace(tzinfo=None)
    atoms = find_atoms(folded, local)
    ranges: list[TimeRange] = []
    index = 0
    while index < len(atoms):
        following = atoms[index + 1] if index + 1 < len(atoms) else None
        period, span, used = _combined(folded, atoms[index], following, local)
        index += used
        start, end = _in_utc(period.start, tz), _in_utc(period.end, tz)
        if start < end:
            ranges.append(TimeRange(start, end, text[span[0] : span[1]]))
    return ranges


_NUMBERS = re.compile(
    r"(?<!\d)(?:19|20|21)\d\d(?!\d)|\d[./-]\d\d?[./-]\d|\bq[1-4]\b"
    r"|\d(?:st|nd|rd|th)\b|\d\.(?:\W|$)"
)
_WORDS = re.compile(r"aujourd'hui|[^\W\d_]+")
_UNSPACED = re.compile(r"[年月日週周天昨今明前年월일주星期季]|지난|어제|오늘|내일|이번|최근")
_TIME_WORDS = frozenset(
    {*MONTHS, *WEEKDAYS, *DAYS, *UNITS, "tonight", "morning", "afternoon", "evening"}
)

_YEAR = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?!\d)")
_ARTICLE = r"(?:(?:the|in|end of|dem|der|zum|le|el|la|il)[ ])?"


def _before(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})[ ]{_ARTICLE}$")


_BETWEEN = re.compile(
    r"(?:\b(?:between|from|zwischen|von|vom|entre|du|de|desde|del|tra|dal|dalla|van|tussen|с)[ ]"
    rf"{_ARTICLE}|从 ?)$"
)
_AND = re.compile(
    r"[ ]?(?:and|to|until|till|through|und|bis|et|au|à|y|a|al|hasta|e|en|tot|по|-|–|—|~|〜"
    r"|から|到|至|and the|to the|bis zum|und dem|et le|y el)[ ]?"
)
_SINCE = _before("since|starting|seit|ab|depuis|à partir de|desde|dal|dalla|da|с|sinds")
_AFTER = _before("after|later than|nach|après|después de|después del|dopo|после|na")
_BEFORE = _before("before|prior to|earlier than|vor|avant|antes de|antes del|prima di|до|voor")
_UNTIL = _before("until|till|up to|by|through|bis|jusqu'à|jusqu'au|hasta|fino a|tot")
_THEN_SINCE = re.compile(r"^ ?(?:以降|以来|から|以后|之后|起|이후|부터)")
_THEN_BEFORE = re.compile(r"^ ?(?:以前|より前|之前|以前|이전)")
_THEN_UNTIL = re.compile(r"^ ?(?:までに?|为止|까지)")


def _folded(text: str) -> str:
    """Small letters, each in the place it had, so that positions hold."""
    lower = text.lower()
    if len(lower) != len(text):  # İ becomes two characters
        lower = "".join(letter.lower()[:1] or letter for letter in text)
    return lower.replace("’", "'").replace("\u00a0", " ").replace("\u3000", " ")


def _may_speak_of_time(folded: str) -> bool:
    if _NUMBERS.search(folded):
        return True
    if not _TIME_WORDS.isdisjoint(_WORDS.findall(folded)):
        return True
    if not folded.isascii() and _UNSPACED.search(folded) is not None:
        return True
    return bool(languages_of(folded))


def needs_library(text: str) -> bool:
    """Whether reading `text` may ask `dateparser`: nothing for an event loop to wait for."""
    return bool(languages_of(_folded(text[:LONGEST_TEXT])))


def _combined(
    text: str, atom: Atom, following: Atom | None, now: datetime
) -> tuple[Period, tuple[int, int], int]:
    """The range that begins with `atom`: its period, its place, and how many atoms it takes."""
    start, end = atom.span
    before, after = text[max(0, start - 24) : start], text[end : end + 6]
    offset = max(0, start - 24)
    if following is not None and _AND.fullmatch(text[end : following.span[0]]):
        opening = _BETWEEN.search(before)
        joined = Period(_start_before(atom, following, text), following.period.end)
        connector = text[end : following.span[0]].strip()
        if joined.start < joined.end and (opening or connector in _ALWAYS_A_RANGE):
            first = offset + opening.start() if opening else start
            last = following.span[1]
            closing = _THEN_UNTIL.match(text[last : last + 6])
            return joined, (first, last + (closing.end() if closing else 0)), 2
    tomorrow = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    earliest = EARLIEST.replace(tzinfo=None)
    period = atom.period
    for pattern, made in (
        (_SINCE, Period(period.start, max(tomorrow, period.end))),
        (_AFTER, Period(period.end, max(tomorrow, period.end))),
        (_BEFORE, Period(earliest, period.start)),
        (_UNTIL, Period(earliest, period.end)),
    ):
        match = pattern.search(before)
        if match:
            return made, (offset + match.start(), end), 1
    for pattern, made in (
        (_THEN_SINCE, Period(period.start, max(tomorrow, period.end))),
        (_THEN_BEFORE, Period(earliest, period.start)),
        (_THEN_UNTIL, Period(earliest, period.end)),
    ):
        match = pattern.match(after)
        if match:
            return made, (start, end + match.end()), 1
    return period, atom.span, 1


_ALWAYS_A_RANGE = frozenset(
    (
        "to",
        "until",
        "till",
        "through",
        "bis",
        "bis zum",
        "-",
        "–",
        "—",
        "~",
        "〜",
        "から",
        "到",
        "至",
    )
)


def _start_before(first: Atom, second: Atom, text: str) -> datetime:
    """Where the range of two times begins: a first one without a year takes that of the second, or
    the year before (`from November to February 2026`)."""
    start, end = first.period.start, second.period.end
    if _YEAR.search(text, *first.span):
        return start
    if start >= end and (second.period.end - second.period.start) <= timedelta(days=1):
        # "between Monday and Friday last week": the Monday before that Friday.
        back = start - timedelta(days=7)
        if back < end and not any(letter.isdigit() for letter in text[slice(*first.span)]):
            return back
    if start >= end or _YEAR.search(text, *second.span):
        for year in (second.period.start.year, second.period.start.year - 1):
            moved = periods.in_year(start, year)
            if moved < end:
                return moved
    return start


def _in_utc(local: datetime, tz: tzinfo) -> datetime:
    try:
        return local.replace(tzinfo=tz).astimezone(UTC)
    except OverflowError:
        return EARLIEST if local.year < 2000 else datetime.max.replace(tzinfo=UTC)
