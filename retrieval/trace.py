"""The trace of an answer: what each stage looked at, kept, dropped and why, and how long it took.

It holds keys, scores and short reasons, no text of messages: it may be logged. Everything in it
went through the asker's scope, since nothing else reaches the stages.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Stage(StrEnum):
    """The stages of design.md, in their order; candidates carry the one that found them first."""

    ANALYSIS = "analysis"
    SEARCH = "search"
    S1 = "s1_leaves"
    S2 = "s2_summaries"
    S3 = "s3_structure"
    S4 = "s4_assembly"


class DropReason(StrEnum):
    """Why a candidate is not among the items."""

    ITEM_CAP = "more candidates than the stage's share of the items"
    TOKEN_BUDGET = "longer than what was left of the token budget"  # noqa: S105
    DUPLICATE_TEXT = "same author and text as an item already taken"
    GONE = "no longer visible or no longer current when its text was read"


@dataclass(frozen=True, slots=True)
class Step:
    """One hop of the path from a question to a message.

    Attributes:
        via: `words`, `vector`, `named`, `placed`, `child`, `seed`, `replies_to`,
            `same_identifier`, `joined`.
        key: the node the hop leads to.
    """

    via: str
    key: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A message that a stage proposes.

    Attributes:
        key: the message.
        score: relative within one question: 1 is the best a stage could see.
        stage: the stage that proposes it.
        why: short reasons for a person.
        path: how the forest led to it, the message last.
    """

    key: str
    score: float
    stage: Stage
    why: tuple[str, ...] = ()
    path: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that did not become an item."""

    key: str
    stage: Stage
    score: float
    reason: DropReason


@dataclass(frozen=True, slots=True)
class Weighed:
    """A tree or a forest node that a stage weighed, with its parts of the score by name."""

    key: str
    score: float
    parts: dict[str, float]


@dataclass(slots=True)
class StageTrace:
    """What one stage did.

    Attributes:
        stage: which.
        ms: wall-clock milliseconds, waiting for the database included.
        counts: how many of what came back, by name.
        weighed: trees and nodes that were weighed, best first.
        candidates: what the stage proposes, best first.
        dropped: what it left out.
        notes: anything else worth knowing, one sentence each.
    """

    stage: Stage
    ms: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    weighed: list[Weighed] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Trace:
    """All stages of one answer, in order."""

    stages: dict[Stage, StageTrace] = field(default_factory=dict)

    @contextmanager
    def stage(self, stage: Stage) -> Iterator[StageTrace]:
        """The record of `stage`; the time spent inside is added to it."""
        record = self.stages.setdefault(stage, StageTrace(stage))
        started = time.perf_counter()
        try:
            yield record
        finally:
            record.ms += (time.perf_counter() - started) * 1000

    @property
    def total_ms(self) -> float:
        """Sum over the stages, in milliseconds."""
        return sum(record.ms for record in self.stages.values())

    def as_dict(self, limit: int = 50) -> dict[str, Any]:
        """Plain data for JSON; at most `limit` entries of each list, their numbers beside them."""
        return {str(stage): _stage_dict(record, limit) for stage, record in self.stages.items()}

    def lines(self, limit: int = 10) -> list[str]:
        """The trace as a person reads it, at most `limit` entries of each list."""
        out: list[str] = []
        for stage, record in self.stages.items():
            counts = ", ".join(f"{name} {count}" for name, count in record.counts.items())
            out.append(f"{stage}  {record.ms:.1f} ms  {counts}".rstrip())
            out += [f"  note: {note}" for note in record.notes]
            for weighed in record.weighed[:limit]:
                parts = ", ".join(f"{name} {part:.2f}" for name, part in weighed.parts.items())
                out.append(f"  {weighed.score:.3f}  {weighed.key}  ({parts})")
            for candidate in record.candidates[:limit]:
                path = " > ".join(f"{step.via} {step.key}" for step in candidate.path)
                out.append(f"  {candidate.score:.3f}  {candidate.key}  [{path}]")
            out += [f"  dropped {drop.key}: {drop.reason}" for drop in record.dropped[:limit]]
        return out


def _stage_dict(record: StageTrace, limit: int) -> dict[str, Any]:
    return {
        "ms": round(record.ms, 3),
        "counts": {
            **record.counts,
            "candidates": len(record.candidates),
            "dropped": len(record.dropped),
        },
        "weighed": [
            {"key": w.key, "score": round(w.score, 4), "parts": _rounded(w.parts)}
            for w in record.weighed[:limit]
        ],
        "candidates": [
            {
                "key": c.key,
                "score": round(c.score, 4),
                "why": list(c.why),
                "path": [{"via": step.via, "key": step.key} for step in c.path],
            }
            for c in record.candidates[:limit]
        ],
        "dropped": [
            {
                "key": d.key,
                "stage": str(d.stage),
                "score": round(d.score, 4),
                "reason": str(d.reason),
            }
            for d in record.dropped[:limit]
        ],
        "notes": list(record.notes),
    }


def _rounded(parts: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in parts.items()}
