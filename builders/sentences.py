"""Sentences of messages, and how much each says. Pure; what a sentence gives depends on it alone.

No statistics of the log are used here. A document frequency over the workspace would make every
summary depend on every message, and with that on the order and extent of what was ingested.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from ..text.analyzer import analyze
from .lifecycle import Fact, facts_of

MAX_SENTENCE_CHARACTERS = 240

_END = re.compile(r"(?<=[.!?…])[\"')\]]?\s+|(?<=[。！？])|\n+")
_BULLET = re.compile(r"^(?:[-*•>]|\d{1,2}[.)])\s+")
_GREETING = re.compile(
    r"^(?:(?:hi|hey|hello|hallo|moin|good (?:morning|afternoon|evening)|guten (?:morgen|tag)"
    r"|dear|thanks?|thank you|thx"
    r"|cheers|danke|sure|great|awesome|nice|perfect|cool|ok|okay|yes|yep|yeah|no problem"
    r"|welcome|congrat\w*|absolutely|agreed"
    r"|sounds (?:good|great)|good (?:point|catch|idea|job|work)s?|great (?:point|catch|idea|job"
    r"|work)s?|well done|got it"
    r"|will do|looking forward|happy|hope|let(?:'|’)s dive|@\S+|おはよう\w*|お疲れ\w*"
    r"|ありがとう\w*|了解\w*|よろしく\w*)\b[\s,!.:、。]*)+",
    re.IGNORECASE,
)
_PLEASANTRY = re.compile(
    r"\b(?:hope you|doing well|looking forward|appreciate|thoughts\?|let me know|great job"
    r"|nice work|well done|good luck"
    r"|have a (?:great|nice|good)|no worries|my pleasure|you(?:'|’)re welcome|excited|can(?:'"
    r"|’)t wait|let(?:'|’)s dive"
    r"|kudos|feel free|keep up|happy to help|viele grüße|schönes wochenende"
    r"|お願いします|よろしく)\b",
    re.IGNORECASE,
)
# Said in every chat about everything: they tell little, though no stop list has them.
_WORN = frozenset(
    analyze(
        """add ahead also appreciate approach area ask aspect best better big bit check come
        consider could day discuss discussion end ensure everyone example feature feel find
        first focus folk give good great guy handle happen help hi idea implement important
        improve include insight issue item keep know last later let like line link list long
        look love meet mention message minute morning need new nice note number open people
        perfect person place plan point possible post potential pretty problem process provide
        question quick read ready right see send set share side start stuff suggestion support
        sure take talk team tell think thought time today tomorrow try understand update user
        want week work world year yesterday"""
    )
)
_IDENTIFYING = re.compile(r"\d|[#/_-]|[.]\w")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with what it is worth by itself.

    Attributes:
        text: at most `MAX_SENTENCE_CHARACTERS`, greeting taken off.
        terms: its different analysed terms.
        facts: what it states about the life of work, as bits of `Fact`.
        worth: the sum of its terms' weights, facts and form; higher says more.
    """

    text: str
    terms: frozenset[str]
    facts: int
    worth: float


@lru_cache(maxsize=1 << 16)
def term_weight(term: str) -> float:
    """How much a term tells by its form: numbers and names of things more, worn words little."""
    if term in _WORN:
        return 0.15
    if _IDENTIFYING.search(term):
        return 1.6
    if not term.isascii():
        return 0.7
    return 1.0 if len(term) >= 5 else 0.7


@lru_cache(maxsize=1 << 15)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a message that say something, in order."""
    found = []
    for raw in _END.split(text):
        sentence = _sentence(raw.strip())
        if sentence is not None:
            found.append(sentence)
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def sentence_as_written(text: str) -> Sentence:
    """A sentence without a greeting, such as one that was chosen before."""
    terms = frozenset(sentence_terms(text))
    facts = facts_of(text)
    return Sentence(text, terms, facts, _worth(text, terms, facts))


@lru_cache(maxsize=1 << 16)
def sentence_terms(text: str) -> tuple[str, ...]:
    """The analysed terms of a sentence."""
    return tuple(analyze(text))


def _sentence(raw: str) -> Sentence | None:
    bare = _BULLET.sub("", raw)
    kept = _GREETING.sub("", bare)
    if len(kept) < 3:
        # "LGTM, approved!" and "了解、承認します" state a fact all the same.
        kept = bare if facts_of(bare) else ""
    kept = kept.strip()
    if not kept:
        return None
    if len(kept) > MAX_SENTENCE_CHARACTERS:
        cut = kept[: MAX_SENTENCE_CHARACTERS - 1]
        kept = (cut.rpartition(" ")[0] if " " in cut[-40:] else cut) + "…"
    sentence = sentence_as_written(kept)
    if not sentence.facts and all(term.isdigit() for term in sentence.terms):
        return None
    return sentence


def _worth(text: str, terms: frozenset[str], facts: int) -> float:
    weights = sorted((term_weight(term) for term in terms), reverse=True)[:14]
    # Less than the sum: a long sentence says more, but not twice as much as half of it.
    worth = sum(weights) / math.sqrt(3.0 + len(weights))
    stated = facts & ~(Fact.QUESTION | Fact.NOT_YET | Fact.COMMITMENT)
    if stated:
        worth += 0.7 + 0.5 * stated.bit_count()
    if facts & Fact.COMMITMENT:
        worth += 0.3
    if facts & Fact.QUESTION:
        worth *= 0.6
    if facts & Fact.NOT_YET:
        worth *= 0.8
    if _PLEASANTRY.search(text):
        worth *= 0.45
    return worth
