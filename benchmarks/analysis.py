"""What words the lexical baselines compare.

`standard` is the usual: words lower-cased, stop words out, Snowball stems, as full-text engines do
it for English. `own` gives them this project's analyzer, names and identifiers taken apart
included: that is part of what the project offers, and makes the baselines stronger than what
stands elsewhere under their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..text.analyzer import analyze, analyze_query
from ..text.stemming import stem
from ..text.stopwords import STOP_WORDS
from .errors import BenchmarkError

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Analysis:
    """How texts and questions become terms."""

    name: str
    document: Callable[[str], list[str]]
    query: Callable[[str], list[str]]


def standard_terms(text: str) -> list[str]:
    """The stems of the words of `text` in order, stop words left out."""
    return [stem(word) for word in _WORD.findall(text.casefold()) if word not in STOP_WORDS]


OWN = Analysis("own", analyze, analyze_query)
STANDARD_ANALYSIS = Analysis("standard", standard_terms, standard_terms)
ANALYSES = {analysis.name: analysis for analysis in (STANDARD_ANALYSIS, OWN)}


def find_analysis(name: str) -> Analysis:
    """The analysis called `name`; raises `BenchmarkError` if there is none."""
    if name not in ANALYSES:
        raise BenchmarkError(
            f"There is no analysis {name!r}.", f"Known are: {', '.join(ANALYSES)}."
        )
    return ANALYSES[name]
