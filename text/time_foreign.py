"""Single times in languages that `time_words` has no words of, read by `dateparser`.

The library reads 200 languages, but takes half a second to load and tens of milliseconds for a
question whose language it has to find out. So it is asked only where a word (of
`data/time_languages.txt`, which is drawn from its own tables) or the script says which languages
may be meant.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from importlib import resources

from . import periods
from .periods import Period

_BY_SCRIPT = (
    (re.compile(r"[\u0370-\u03ff]"), ("el",)),
    (re.compile(r"[\u0590-\u05ff]"), ("he",)),
    (re.compile(r"[\u0600-\u06ff]"), ("ar", "fa")),
    (re.compile(r"[\u0900-\u097f]"), ("hi",)),
    (re.compile(r"[\u0e00-\u0e7f]"), ("th",)),
)
_WORD = re.compile(r"[^\W\d_]+")
_MOST_LANGUAGES = 4
_LONGEST = 400
"""Only so many characters are handed over: the library's time grows faster than the text."""
_ALSO_NAMES = frozenset(("dana", "maja"))
"""Months and days by themselves, but people as well."""


def languages_of(folded: str) -> tuple[str, ...]:
    """The languages in which `folded`, in small letters, may speak of a time; mostly none."""
    if not folded.isascii():
        for script, languages in _BY_SCRIPT:
            if script.search(folded):
                return languages
    votes: dict[str, int] = {}
    known = _words()
    for word in _WORD.findall(folded):
        for language in known.get(word, ()):
            votes[language] = votes.get(language, 0) + 1
    return tuple(sorted(votes, key=lambda language: (-votes[language], language))[:_MOST_LANGUAGES])


def find_foreign(folded: str, now: datetime) -> Iterator[tuple[tuple[int, int], Period]]:
    """Place and period of each single time that the library reads in one of `languages_of`."""
    languages = list(languages_of(folded))
    if not languages:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own deprecations
        from dateparser.date import DateDataParser
        from dateparser.search import search_dates

    settings = {"RELATIVE_BASE": now, "PREFER_DATES_FROM": "past", "PREFER_DAY_OF_MONTH": "first"}
    reader = DateDataParser(languages=languages, settings=settings)
    try:
        found = search_dates(folded[:_LONGEST], languages=languages, settings=settings) or ()
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return  # a fault of the library on odd text is no fault of the question
    after = 0
    for surface, moment in found:
        start = folded.find(surface, after)
        if start < 0 or not _says_a_time(surface):
            continue
        after = start + len(surface)
        period = _period(moment, reader.get_date_data(surface).period or "day")
        if period is not None:
            yield (start, after), period


def _says_a_time(surface: str) -> bool:
    """Whether it has a number with a word, or a word that stands for a time: the library also
    takes short words of talk for names of days."""
    words = _WORD.findall(surface)
    if surface in _ALSO_NAMES:
        return False
    if any(character.isdigit() for character in surface):
        return any(len(word) >= 3 for word in words)
    return any(word in _words() for word in words) or any(
        script.search(surface) for script, _ in _BY_SCRIPT
    )


def _period(moment: datetime, kind: str) -> Period | None:
    moment = moment.replace(tzinfo=None)
    match kind:
        case "year":
            return periods.months(moment.year, 1, 12)
        case "month":
            return periods.months(moment.year, moment.month)
        case "week":
            return periods.shifted(moment, "week", 0)
        case _:
            return periods.shifted(moment, "day", 0)


@cache
def _words() -> dict[str, tuple[str, ...]]:
    """Word to the languages that have it."""
    text = resources.files(__package__).joinpath("data/time_languages.txt").read_text("utf-8")
    languages: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            language, _, row = line.partition(": ")
            for word in row.split():
                languages[word] = (*languages.get(word, ()), language)
    return languages
