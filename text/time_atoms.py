"""Single times in a text (`3 June`, `last week`, `Q2`), each with the period it stands for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from . import periods
from .periods import Period
from .time_foreign import find_foreign
from .time_words import (
    AMBIGUOUS_MONTHS,
    DAYS,
    MONTHS,
    NUMBERS,
    ORDINALS,
    PARTS,
    SHIFTS,
    UNITS,
    WEEKDAYS,
)


@dataclass(frozen=True, slots=True)
class Atom:
    """One time: where it stands, and which period it is."""

    span: tuple[int, int]
    period: Period


_Rule = Callable[[re.Match[str], datetime], Period | None]


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _spaced(words: Iterable[str]) -> list[str]:
    return [word for word in words if word[0] < "\u3000"]


def _unspaced(words: Iterable[str]) -> list[str]:
    return [word for word in words if word[0] >= "\u3000"]


_MONTH = rf"(?P<month>{_any(MONTHS)})\b\.?"
_YEAR = r"(?P<year>(?:19|20|21)\d\d)(?![\d-])"
_DAY = r"(?P<day>[0-3]?\d)"
_NTH = r"(?:st|nd|rd|th|er|\.|º|ª)?"
_SHIFT = rf"(?P<shift>{_any(_spaced(SHIFTS))})"
_UNIT = rf"(?P<unit>{_any(_spaced(UNITS))})\b"
_COUNT = rf"(?P<count>\d{{1,4}}|{_any(NUMBERS)})"
_OF = r"(?:of[ ]|de[ ]|del[ ]|di[ ]|do[ ])?"
_DASH = (
    r"[ ]?(?:-|–|—|bis|to|until|till|and|through|und|et|au|à|al|a|y|e|ao|tot|en)[ ]?"
    r"(?:the[ ]|den[ ]|le[ ]|el[ ])?"
)


def _before(words: str) -> str:
    # A look-behind has one width, so there is one for each word.
    return "|".join(rf"(?<=\b{word} )" for word in words.split())


def _number(text: str) -> int:
    return NUMBERS[text] if text in NUMBERS else int(text)


def _year_of(match: re.Match[str]) -> int | None:
    year = match.groupdict().get("year")
    return int(year) if year else None


def _iso_day(match: re.Match[str], now: datetime) -> Period | None:
    return periods.day(int(match["year"]), int(match["month"]), int(match["day"]))


def _iso_month(match: re.Match[str], now: datetime) -> Period | None:
    month = int(match["month"])
    return periods.months(int(match["year"]), month) if 1 <= month <= 12 else None


def _numeric_day(match: re.Match[str], now: datetime) -> Period | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    year += 2000 if year < 100 else 0
    # 6/3/2026 is June in the country that writes slashes most; 13/3/2026 can only be March.
    if match["mark"] == "/" and first <= 12:
        return periods.day(year, first, second) or periods.day(year, second, first)
    return periods.day(year, second, first)


def _day_and_month(match: re.Match[str], now: datetime) -> Period | None:
    month, number, year = MONTHS[match["month"]], int(match["day"]), _year_of(match)
    found = periods.day(year, month, number) if year else periods.latest_day(now, month, number)
    last = match.groupdict().get("last")
    if found is None or last is None:
        return found
    end = periods.day(found.start.year, month, int(last))
    return Period(found.start, end.end) if end and end.end > found.start else None


def _month(match: re.Match[str], now: datetime) -> Period | None:
    word, year = match["month"], _year_of(match)
    before = match.string[max(0, match.start("month") - 40) : match.start("month")]
    # "may", "march", "jan" and short forms ("mar", "dec") are months only where something says so.
    doubtful = word in AMBIGUOUS_MONTHS or len(word) <= 4
    said = year or match["shift"] or match["part"] or _MAKES_MONTH.search(before)
    if (doubtful and not said) or _AFTER_A_DAY.search(before):
        return None  # after a day: one that the month does not have
    shift = SHIFTS.get(match["shift"] or "")
    if year is None and shift == 1:
        year = now.year + (1 if MONTHS[word] <= now.month else 0)
    elif year is None and shift == 0:
        year = now.year
    elif year is None and shift == -1 and MONTHS[word] == now.month:
        year = now.year - 1
    month = MONTHS[word]
    found = periods.months(year, month) if year else periods.latest_months(now, month)
    part = PARTS.get(match["part"] or "")
    return periods.third(found, part) if found and part is not None else found


def _quarter(match: re.Match[str], now: datetime) -> Period | None:
    year = match["year"]
    full = int(year) + (2000 if len(year) == 2 else 0) if year else None
    first = 3 * ORDINALS[match["number"]] - 2
    return periods.months(full, first, 3) if full else periods.latest_months(now, first, 3)


def _half(match: re.Match[str], now: datetime) -> Period | None:
    year, first = _year_of(match), 6 * ORDINALS[match["number"]] - 5
    return periods.months(year, first, 6) if year else periods.latest_months(now, first, 6)


def _whole_year(match: re.Match[str], now: datetime) -> Period | None:
    return periods.months(int(match["year"]), 1, 12)


def _relative(match: re.Match[str], now: datetime) -> Period | None:
    return periods.shifted(now, UNITS[match["unit"]], SHIFTS[match["shift"]])


def _before_last(match: re.Match[str], now: datetime) -> Period | None:
    return periods.shifted(now, UNITS[match["unit"]], -2)


def _rolling(match: re.Match[str], now: datetime) -> Period | None:
    shift = SHIFTS.get(match.groupdict().get("shift") or "", -1)
    count = _number(match["count"])
    return periods.rolling(now, UNITS[match["unit"]], count, ahead=shift == 1) if shift else None


def _ago(match: re.Match[str], now: datetime) -> Period | None:
    return periods.ago(now, UNITS[match["unit"]], _number(match["count"]))


def _day_word(match: re.Match[str], now: datetime) -> Period | None:
    word = match["word"]
    if word == "hier" and not _FRENCH.search(match.string):
        return None  # "here" in German
    if word == "morgen" and _MORNING.search(match.string[: match.start()]):
        return None
    return periods.shifted(now, "day", DAYS[word])


def _weekday(match: re.Match[str], now: datetime) -> Period | None:
    words = match.groupdict()
    shift = SHIFTS.get(words.get("shift") or words.get("after") or "")
    return periods.weekday(now, WEEKDAYS[match["weekday"]], shift)


def _weekday_of_week(match: re.Match[str], now: datetime) -> Period | None:
    week = periods.shifted(now, "week", SHIFTS[match["shift"]])
    return week and periods.weekday(week.start, WEEKDAYS[match["weekday"]], 0)


def _nth(match: re.Match[str], now: datetime) -> Period | None:
    return periods.latest_day_of_month(now, int(match["day"]))


def _cjk_date(match: re.Match[str], now: datetime) -> Period | None:
    month, number = int(match["month"]), match["day"]
    year = int(match["year"]) if match["year"] else None
    if match["rel"]:
        year = now.year + (-1 if match["rel"] in "去昨作" else 1 if match["rel"] in "来明" else 0)
    if not 1 <= month <= 12:
        return None
    if number:
        day = int(number)
        return periods.day(year, month, day) if year else periods.latest_day(now, month, day)
    return periods.months(year, month) if year else periods.latest_months(now, month)


def _week_day(match: re.Match[str], now: datetime) -> Period | None:
    week = periods.shifted(now, "week", SHIFTS.get(match["shift"], 0))
    return week and periods.weekday(week.start, WEEKDAYS["周" + match["name"]], 0)


_MAKES_MONTH = re.compile(
    r"(?:\b(?:in|since|by|until|till|of|during|before|after|last|next|this|early|mid|late|from|between"
    r"|to|through|end|the|our|im|von|vom|seit|bis|vor|nach|ab|anfang|mitte|ende|en|em|de|depuis"
    r"|avant|après|fin|début|desde|hasta|antes de|a|nel|в|с|mid-|\w's)[ ]?-?|[-–/] ?"
    rf"|\b(?:in|between|from|since|im|zwischen|von|en|entre|depuis|desde)[ ](?:{_any(MONTHS)})"
    r"(?:[ ]\d{4})?[ ](?:and|or|und|oder|et|ou|y|o)[ ])$"
)
_AFTER_A_DAY = re.compile(r"\d(?:st|nd|rd|th|\.)?[ ](?:of[ ]|de[ ])?$")
_FRENCH = re.compile(r"[àâçèéêîôû]|\b(?:le|la|les|des|du|qui|que|nous|vous|est|ce|quoi|fait|dit)\b")
_MORNING = re.compile(r"\b(?:guten|am|jeden|jedem|schönen|heute|gestern|diesen)[ ]$")
_ORDINAL = _any(ORDINALS)
_YEAR_FOLLOWS = (
    "in since during of before after until from to and by year jahr jahre seit vor nach bis en"
    " depuis desde nel в"
)
_UNSPACED_UNITS = _any(_unspaced(UNITS))
_UNSPACED_SHIFTS = _any(_unspaced(SHIFTS))

_RULES: tuple[tuple[re.Pattern[str], _Rule], ...] = tuple(
    (re.compile(pattern), rule)
    for pattern, rule in (
        (r"(?<![\d-])(?P<year>(?:19|20|21)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)(?!\d)", _iso_day),
        (r"(?<!\d)(?P<year>(?:19|20|21)\d\d)/(?P<month>\d\d?)/(?P<day>\d\d?)(?!\d)", _iso_day),
        (r"(?<![\d-])(?P<year>(?:19|20|21)\d\d)[-/](?P<month>[01]\d)(?![\d/-])", _iso_month),
        (
            r"(?<![\d./-])(?P<first>\d\d?)(?P<mark>[./-])(?P<second>\d\d?)(?P=mark)(?P<year>(?:20)?\d\d)(?![\d./-])",
            _numeric_day,
        ),
        (
            r"(?:(?P<year>(?:19|20|21)\d\d) ?[年년] ?|(?P<rel>[去昨今本来明])年の?)?"
            r"(?<!\d)(?P<month>1[0-2]|[1-9]) ?(?:月(?!間|个)|월)(?: ?(?P<day>[0-3]?\d) ?[日号일])?",
            _cjk_date,
        ),
        (r"(?<!\d)(?P<year>(?:19|20|21)\d\d) ?[年년]度?(?! ?\d)", _whole_year),
        (
            rf"\b{_DAY}{_NTH}{_DASH}(?P<last>[0-3]?\d){_NTH}[ ]{_OF}{_MONTH}(?:,?[ ]{_OF}{_YEAR})?",
            _day_and_month,
        ),
        (
            rf"\b{_MONTH}[ ]{_DAY}(?:st|nd|rd|th)?{_DASH}(?P<last>[0-3]?\d)(?:st|nd|rd|th)?\b"
            rf"(?:,?[ ]{_YEAR})?",
            _day_and_month,
        ),
        (rf"\b{_DAY}{_NTH}[ ]?{_OF}{_MONTH}(?:,?[ ]{_OF}{_YEAR})?", _day_and_month),
        (
            rf"\b{_MONTH}[ ](?:the[ ])?{_DAY}(?:st|nd|rd|th)?(?![\w:.%]\w)\b(?:,?[ ]{_YEAR})?",
            _day_and_month,
        ),
        (
            rf"(?:\b{_SHIFT}[ ])?(?:\b(?P<part>{_any(PARTS)})[ -]?)?\b{_MONTH}"
            rf"(?:,?[ ]{_OF}{_YEAR}|[ ]'(?!\d))?",
            _month,
        ),
        (
            r"\bq(?P<number>[1-4])(?:[ /'-]{0,2}(?:of |fy)?(?P<year>20\d\d|[2-3]\d)\b)?(?!\w)",
            _quarter,
        ),
        (
            rf"\b(?P<number>{_ORDINAL})\.?[ ](?:quarter|quartal|quartals|trimestre|kwartaal)\b"
            rf"(?:[ ](?:of[ ]|de[ ])?(?P<year>20\d\d))?",
            _quarter,
        ),
        (r"(?:(?P<year>20\d\d)年?(?:の)?)?第(?P<number>[1-4一二三四])(?:四半期|季度)", _quarter),
        (r"\bh(?P<number>[12])[ /-](?P<year>20\d\d)\b", _half),
        (
            rf"\b(?P<number>first|1st|second|2nd|erste[ns]?|zweite[ns]?)[ ](?:half|halbjahr)\b"
            rf"(?:[ ](?:of[ ])?{_YEAR})?"
            r"(?![ ]of[ ](?:the[ ])?[a-z])",
            _half,
        ),
        (
            rf"\b(?P<weekday>{_any(_spaced(WEEKDAYS))})s?[ ](?:of[ ]|in[ ]|der[ ])?{_SHIFT}[ ]"
            r"(?:week|woche)\b",
            _weekday_of_week,
        ),
        (rf"\b(?:the[ ])?{_UNIT}[ ]before[ ]last\b", _before_last),
        (rf"\b(?:vorletzte[nrs]?)[ ]{_UNIT}", _before_last),
        (rf"\b{_SHIFT}[ ]{_COUNT}[ ](?:of[ ])?{_UNIT}", _rolling),
        (rf"\b{_COUNT}[ ]{_SHIFT}[ ]{_UNIT}", _rolling),
        (
            rf"(?:過去|最近|直近|过去|近|최근) ?(?P<count>\d{{1,4}}) ?(?P<unit>{_UNSPACED_UNITS})",
            _rolling,
        ),
        (rf"\b{_COUNT}[ ]{_UNIT}[ ](?:ago|earlier|back|fa|geleden|atrás|назад)\b", _ago),
        (rf"\b(?:vor|il[ ]y[ ]a|hace|há)[ ]{_COUNT}[ ]{_UNIT}", _ago),
        (rf"(?<!\d)(?P<count>\d{{1,4}}) ?(?P<unit>{_UNSPACED_UNITS}) ?(?:前|전)", _ago),
        (rf"\b{_SHIFT}[ ]{_UNIT}", _relative),
        (rf"\b{_UNIT}[ ](?P<shift>{_any(_spaced(SHIFTS))})\b", _relative),
        (
            r"(?P<shift>上个?|这个?|本|下个?)(?:周|星期|礼拜)(?P<name>[一二三四五六日])",
            _week_day,
        ),
        (rf"(?P<shift>{_UNSPACED_SHIFTS}) ?(?P<unit>{_UNSPACED_UNITS})", _relative),
        (
            r"\b(?:the )?day before (?P<word>yesterday)\b",
            lambda match, now: periods.shifted(now, "day", -2),
        ),
        (
            rf"(?:\b{_SHIFT}[ ])?\b(?P<weekday>{_any(_spaced(WEEKDAYS))})s?\b"
            rf"(?:[ ](?P<after>{_any(_spaced(SHIFTS))})\b)?",
            _weekday,
        ),
        (rf"(?P<weekday>{_any(_unspaced(WEEKDAYS))})", _weekday),
        (rf"\b(?P<word>{_any(_spaced(DAYS))})\b", _day_word),
        (rf"(?P<word>{_any(_unspaced(DAYS))})", _day_word),
        (
            r"\b(?:this morning|this afternoon|this evening|tonight|ce matin|esta mañana)\b",
            lambda match, now: periods.shifted(now, "day", 0),
        ),
        (
            rf"(?:{_before(_YEAR_FOLLOWS)}){_YEAR}(?![\w/.])",
            _whole_year,
        ),
        (
            r"\b(?:the[ ])(?P<day>[0-3]?\d)(?:st|nd|rd|th)\b"
            r"(?=$|[?.,;!)]|[ ](?:and|to|or|until|till|in|at|about|did|was|by|for|we|they)\b)",
            _nth,
        ),
        (
            r"\b(?:am|zum|dem|den) (?P<day>[0-3]?\d)\."
            r"(?=$|[?.,;!)]| (?:und|bis|beschlossen|gesagt)\b)",
            _nth,
        ),
    )
)


def find_atoms(text: str, now: datetime) -> list[Atom]:
    """Single times in order; where two rules want the same place the earlier rule has it.

    Args:
        text: case-folded.
        now: local time, without a zone.
    """
    taken: list[Atom] = []
    for pattern, rule in _RULES:
        for match in pattern.finditer(text):
            span = match.span()
            if any(span[0] < atom.span[1] and atom.span[0] < span[1] for atom in taken):
                continue
            try:
                period = rule(match, now)
            except (OverflowError, ValueError):  # beyond the calendar
                continue
            if period is not None and _in_range(period):
                taken.append(Atom(span, period))
    if not taken:
        taken = [Atom(*found) for found in find_foreign(text, now) if _in_range(found[1])]
    return sorted(taken, key=lambda atom: atom.span)


def _in_range(period: Period) -> bool:
    return period.start.year >= periods.FIRST_YEAR and period.end.year <= periods.LAST_YEAR + 1


def rules() -> Iterator[re.Pattern[str]]:
    """The patterns, for the test that bounds their cost."""
    return (pattern for pattern, _ in _RULES)
