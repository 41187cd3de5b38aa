"""Words for times, in the languages that time expressions are read in (`data/time_words.txt`)."""

from __future__ import annotations

from importlib import resources


def _read() -> dict[str, dict[str, str]]:
    """Section to word to key."""
    text = resources.files(__package__).joinpath("data/time_words.txt").read_text("utf-8")
    sections: dict[str, dict[str, str]] = {}
    words: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("["):
            words = sections.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, _, row = line.partition(": ")
            words.update(dict.fromkeys([word.replace("_", " ") for word in row.split()], key))
    return sections


def _numbers(words: dict[str, str]) -> dict[str, int]:
    return {word: int(key) for word, key in words.items()}


_SECTIONS = _read()

MONTHS = _numbers(_SECTIONS["months"])
"""Word to month; 1 is January."""
AMBIGUOUS_MONTHS = frozenset(_SECTIONS["ambiguous months"])
"""Also verbs or first names: a month only where the words around say so."""
WEEKDAYS = _numbers(_SECTIONS["weekdays"])
"""Word to weekday; 0 is Monday."""
DAYS = _numbers(_SECTIONS["days"])
"""Word to days from today."""
UNITS = _SECTIONS["units"]
"""Word to hour, day, week, weekend, month, quarter or year."""
SHIFTS = _numbers(_SECTIONS["shifts"])
"""Word to -1 (last), 0 (this) or 1 (next)."""
NUMBERS = _numbers(_SECTIONS["numbers"])
"""Number words up to ten."""
ORDINALS = _numbers(_SECTIONS["ordinals"])
"""Words for the first to the fourth."""
PARTS = _numbers(_SECTIONS["parts"])
"""Word to 0 (early), 1 (middle) or 2 (late)."""
