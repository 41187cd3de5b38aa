"""Full-text query strings that cannot be misread, whatever people type.

Lucene's query parser gives meaning to words (OR, NOT) and characters (`/`, `~`, `-`). Nothing
here is left to it: every value is a quoted phrase of one token, because the indexes split at
white space and the values hold none. Filters carry the boost 0, so they restrict without
touching the score. Each filter is one parenthesised, required clause.

Lucene refuses a query of more than 1,024 clauses. Terms beyond `MAX_TERM_CLAUSES` are dropped
and reported; audiences beyond what then fits are spread over several queries, whose results
the caller merges: one message has one audience, so no result appears twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from .records import Scope

MAX_TERM_CLAUSES = 512
MAX_CLAUSES = 1000
"""Lucene's limit is 1,024; the rest is room for the clauses that hold groups together."""

STAMP_FIRST = "00000000000000000"
STAMP_LAST = "99999999999999999"

_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class TermWeight:
    """One analysed term of a question and its weight; 1.0 leaves the score as it is."""

    term: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class StampRange:
    """From `earliest` to `latest`, both inclusive; None leaves an end open.

    `field_from` is compared with `earliest`, `field_to` with `latest`. For an interval such as
    a forest node's span, name its end first: it overlaps if it ends after `earliest` and
    starts before `latest`.
    """

    earliest: datetime | None = None
    latest: datetime | None = None
    field_from: str = "stamp"
    field_to: str = "stamp"


@dataclass(frozen=True, slots=True)
class TextQuery:
    """Query strings to run one by one and merge, and the terms that did not fit.

    `strings` is empty where there is nothing to search for.
    """

    strings: tuple[str, ...]
    dropped: tuple[str, ...] = field(default=())


def quote(value: str) -> str:
    """`value` as a phrase that the parser takes literally."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def stamp(at: datetime) -> str:
    """`at` in UTC as 17 digits that sort by time: YYYYMMDDHHMMSSmmm.

    Raises:
        ValueError: `at` has no zone.
    """
    if at.tzinfo is None:
        raise ValueError("A time without a zone cannot be placed; give it in UTC.")
    utc = at.astimezone(UTC)
    # strftime's %Y does not pad years below 1000 on every system.
    return f"{utc.year:04}{utc:%m%d%H%M%S}{utc.microsecond // 1000:03}"


def text_query(
    scope: Scope,
    terms: Sequence[TermWeight],
    fields: Mapping[str, float],
    *,
    exact: Mapping[str, Sequence[str]] | None = None,
    every: Mapping[str, Sequence[str]] | None = None,
    stamps: StampRange | None = None,
    max_term_clauses: int = MAX_TERM_CLAUSES,
) -> TextQuery:
    """A query for documents in `scope` that hold any of `terms` in any of `fields`.

    Args:
        scope: workspace and audiences: required of every document.
        terms: the most important first; those that do not fit are dropped from the end.
        fields: searched fields and their boosts; a boost applies to every term.
        exact: further required filters: a field and the values of which it must have one.
        every: as `exact`, but the field must have all of the values.
        stamps: the time range required.
        max_term_clauses: limit of terms times fields.
    """
    wanted = _distinct(terms)
    filters = [(name, tuple(dict.fromkeys(values))) for name, values in (exact or {}).items()]
    filters += [
        (name, (value,))
        for name, values in (every or {}).items()
        for value in dict.fromkeys(values)
    ]
    if not wanted or not fields or any(not values for _, values in filters):
        return TextQuery(())
    room = min(max_term_clauses, MAX_CLAUSES // 2) // len(fields)
    kept, dropped = wanted[:room], wanted[room:]
    words = " ".join(
        f"{name}:{quote(term.term)}{_boost(boost * term.weight)}"
        for term in kept
        for name, boost in fields.items()
    )
    head = f"+workspace:{quote(scope.workspace)}^0"
    tail = "".join(f" +{_any(name, values)}^0" for name, values in filters)
    tail += _stamps(stamps) + f" +({words})"
    taken = len(kept) * len(fields) + sum(len(values) + 1 for _, values in filters) + 8
    per_query = max(1, MAX_CLAUSES - taken)
    audiences = tuple(dict.fromkeys(scope.audiences))
    return TextQuery(
        tuple(
            f"{head} +{_any('audience', audiences[start : start + per_query])}^0{tail}"
            for start in range(0, len(audiences), per_query)
        ),
        tuple(term.term for term in dropped),
    )


def _distinct(terms: Sequence[TermWeight]) -> list[TermWeight]:
    """Terms without repetition; one that holds white space counts as its parts."""
    weights: dict[str, float] = {}
    for term in terms:
        if term.weight > 0:
            for part in _SPACE.split(term.term):
                if part:
                    weights.setdefault(part, term.weight)
    return [TermWeight(part, weight) for part, weight in weights.items()]


def _any(name: str, values: Sequence[str]) -> str:
    return "(" + " ".join(f"{name}:{quote(value)}" for value in values) + ")"


def _boost(value: float) -> str:
    return "" if value == 1.0 else f"^{value:.4f}"


def _stamps(stamps: StampRange | None) -> str:
    if stamps is None:
        return ""
    text = ""
    if stamps.earliest is not None:
        low = quote(stamp(stamps.earliest))
        text += f" +{stamps.field_from}:[{low} TO {quote(STAMP_LAST)}]^0"
    if stamps.latest is not None:
        high = quote(stamp(stamps.latest))
        text += f" +{stamps.field_to}:[{quote(STAMP_FIRST)} TO {high}]^0"
    return text
