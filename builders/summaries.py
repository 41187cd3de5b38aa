"""Summaries of forest nodes, bottom-up. The default picks sentences and says who wrote them when.

A summary is lines in time order, each "2026-03-04 Ana (#atlas): …". It is a heading and something
to search through, never evidence.
"""

from __future__ import annotations

import asyncio
import heapq
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from .sentences import Sentence, sentence_as_written, sentences_of, term_weight

_SEPARATOR = "): "
_FEW = 20


@dataclass(frozen=True, slots=True)
class SummaryMessage:
    """A message as a summariser sees it; `author` and `channel` are names."""

    at_ms: int
    author: str
    channel: str
    text: str

    @property
    def prefix(self) -> str:
        """Who said it, when and where."""
        day = datetime.fromtimestamp(self.at_ms / 1000, UTC).date().isoformat()
        return f"{day} {self.author} (#{self.channel}"


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What one node holds: `messages` at level 1, its children's summaries above.

    Attributes:
        level: 1 for an episode.
        subject: what the tree is about, as a person calls it.
        messages: in the tree's order; empty above level 1.
        children: summaries in order; empty at level 1.
    """

    level: int
    subject: str
    messages: tuple[SummaryMessage, ...] = ()
    children: tuple[str, ...] = ()


class Summariser(Protocol):
    """Writes summaries. The same request may be made again after an interruption."""

    @property
    def name(self) -> str:
        """What its summaries depend on; a change of it makes all of them anew."""
        ...

    async def summarise(self, requests: Sequence[SummaryRequest]) -> list[str]:
        """One summary for each request, in order."""
        ...


@dataclass(frozen=True, slots=True)
class ExtractiveSummariser:
    """Picks the sentences that say most and repeat least. Deterministic; needs nothing.

    A sentence counts by its rare and identifying words, by what it states about the life of work,
    and by how many messages of the same node share its words. Greetings and pleasantries count
    little. What is measured is the node alone, so that a summary depends on nothing else.

    Attributes:
        episode_lines, episode_characters: bounds at level 1.
        node_lines, node_characters: bounds above.
    """

    episode_lines: int = 5
    episode_characters: int = 800
    node_lines: int = 9
    node_characters: int = 1400

    @property
    def name(self) -> str:
        """Version and bounds."""
        return (
            f"extractive-3/{self.episode_lines}/{self.episode_characters}"
            f"/{self.node_lines}/{self.node_characters}"
        )

    async def summarise(self, requests: Sequence[SummaryRequest]) -> list[str]:
        """One summary for each request, in order."""
        # In a thread where it takes long: whoever else uses the event loop goes on.
        if len(requests) > _FEW:
            return await asyncio.to_thread(lambda: list(map(self.summary, requests)))
        return list(map(self.summary, requests))

    def summary(self, request: SummaryRequest) -> str:
        """The summary of one node."""
        if request.level == 1:
            sources = [(m.prefix, sentences_of(m.text)) for m in request.messages]
            return _pick(sources, self.episode_lines, self.episode_characters)
        sources = []
        for child in request.children:
            for prefix, text in summary_lines(child):
                sources.append((prefix, (sentence_as_written(text),)))
        return _pick(sources, self.node_lines, self.node_characters)


def summary_lines(summary: str) -> list[tuple[str, str]]:
    """The lines of a summary as (who and when, what). A line of another form has no first part."""
    lines = []
    for line in summary.split("\n"):
        prefix, separator, text = line.partition(_SEPARATOR)
        if separator and " (#" in prefix:
            lines.append((prefix, text))
        elif line.strip():
            lines.append(("", line))
    return lines


def _line(prefix: str, text: str) -> str:
    return f"{prefix}{_SEPARATOR}{text}" if prefix else text


def _pick(
    sources: Sequence[tuple[str, Sequence[Sentence]]], most_lines: int, most_characters: int
) -> str:
    shared: Counter[str] = Counter()
    for _, sentences in sources:
        shared.update({term for sentence in sentences for term in sentence.terms})
    candidates: list[tuple[float, int, float, str, Sentence]] = []
    seen: set[str] = set()
    for prefix, sentences in sources:
        for sentence in sentences:
            if sentence.text in seen:
                continue
            seen.add(sentence.text)
            # What several messages speak of is the topic of the node.
            # An exact sum: terms stand in sets, whose order differs from process to process.
            topic = math.fsum(
                term_weight(term) * min(shared[term] - 1, 3)
                for term in sentence.terms
                if shared[term] > 1
            )
            worth = sentence.worth + 0.25 * topic / math.sqrt(3 + len(sentence.terms))
            candidates.append((-worth, len(candidates), worth, prefix, sentence))
    chosen: list[tuple[int, str]] = []
    said: set[str] = set()
    length = 0
    heapq.heapify(candidates)
    while candidates and len(chosen) < most_lines:
        score, position, worth, prefix, sentence = heapq.heappop(candidates)
        novelty = _novelty(sentence.terms, said)
        # What was said since can only lower a candidate: one that stays first is the best.
        now = (-worth * novelty, position, worth, prefix, sentence)
        if now[0] > score and candidates and now[:2] > candidates[0][:2]:
            heapq.heappush(candidates, now)
            continue
        line = _line(prefix, sentence.text)
        if chosen and (novelty < 0.35 or length + len(line) > most_characters):
            continue
        chosen.append((position, line))
        said |= sentence.terms
        length += len(line) + 1
    return "\n".join(line for _, line in sorted(chosen))


def _novelty(terms: frozenset[str], said: set[str]) -> float:
    if not terms or not said:
        return 1.0
    return 1.0 - 0.8 * len(terms & said) / len(terms)
