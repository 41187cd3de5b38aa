"""A dataset as every system sees it: a log to ingest, and questions with their evidence."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from ..builders.sources import Source

MessageRef = tuple[str, str]
"""A message as the source names it: id of the channel, id of the message in it."""


@dataclass(frozen=True, slots=True)
class BenchQuestion:
    """One question and the messages that answer it.

    Attributes:
        kind: the dataset's own type of question; results are also given by it.
        evidence: what a perfect retrieval returns; empty where the dataset names none, and
            then the question counts for latency only.
        asker: source id of the actor who asks; None for nobody in particular.
        scope_channel: id of the only channel to search; None searches all.
        now: when it is asked, UTC.
        forbidden: messages that the asker must not see, whatever they say.
    """

    id: str
    text: str
    kind: str
    evidence: frozenset[MessageRef]
    now: datetime
    asker: str | None = None
    scope_channel: str | None = None
    forbidden: frozenset[MessageRef] = frozenset()


@dataclass(frozen=True, slots=True)
class Dataset:
    """What an adapter makes of a dataset's files.

    Attributes:
        name: as on the command line, with `-within` where each question has its own channel.
        notes: what was left out and why, one sentence each.
    """

    name: str
    source: Source
    questions: tuple[BenchQuestion, ...]
    notes: tuple[str, ...] = field(default=())

    def limited(self, count: int | None) -> Dataset:
        """The same log with `count` of the questions, spread evenly over all of them."""
        total = len(self.questions)
        if count is None or count >= total:
            return self
        chosen = tuple(self.questions[index * total // count] for index in range(count))
        note = f"Only {count} of {total} questions were asked."
        return replace(self, questions=chosen, notes=(*self.notes, note))
