"""Putting every question to every system, and what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..builders.progress import Report
from ..graph.keys import actor_key, audience_of
from ..graph.log_store import LogStore
from ..graph.records import Scope
from ..text.encoders import Encoder
from . import measures
from .analysis import Analysis
from .log import BenchLog
from .questions import BenchQuestion, MessageRef
from .statistics import interval, paired_p_value
from .systems.base import Asked, System

STANDARD = "hybrid_rrf"
"""The system that the others are tested against."""

TESTED = ("P@20", "R@5", "R@20", "R@50", "R-precision", "MRR")
"""Measures with an interval and a test; the others would say the same."""


@dataclass(slots=True)
class Outcome:
    """What one system made of the measured questions.

    Attributes:
        rows: the measures of each question, in order.
        kinds: its type, in the same order.
        details: its id, measures, ranking of 20 and what of its evidence that leaves out.
        leaks: how many forbidden messages were handed out, over all questions.
    """

    rows: list[dict[str, float]] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    details: list[dict[str, Any]] = field(default_factory=list)
    leaks: int = 0

    def column(self, measure: str) -> list[float]:
        """One measure of all questions."""
        return [row[measure] for row in self.rows]

    def means(self) -> dict[str, float]:
        """The mean of each measure."""
        return measures.means(self.rows)


async def put_questions(
    questions: Sequence[BenchQuestion],
    workspace: str,
    log_store: LogStore,
    log: BenchLog,
    encoder: Encoder,
    analysis: Analysis,
) -> list[Asked]:
    """Resolve scope, words and vector of each question, once for all systems."""
    scopes: dict[tuple[str | None, str | None], Scope] = {}
    asked: list[Asked] = []
    for question in questions:
        who = (question.scope_channel, question.asker)
        if who not in scopes:
            scopes[who] = await _scope(workspace, log_store, question)
        scope = scopes[who]
        vector = await asyncio.to_thread(encoder.encode_query, question.text)
        terms = tuple(analysis.query(question.text))
        asked.append(Asked(question, scope, log.pool(scope.audiences), terms, vector))
    return asked


async def _scope(workspace: str, log_store: LogStore, question: BenchQuestion) -> Scope:
    if question.scope_channel is not None:
        # The channels are private then, so the audience is what keeps a search inside of one.
        return Scope(workspace, (audience_of(question.scope_channel),))
    if question.asker is not None:
        return await log_store.scope(workspace, actor_key(workspace, question.asker))
    return await log_store.scope(workspace)


async def evaluate(
    system: System, asked: Sequence[Asked], log: BenchLog, report: Report, title: str = ""
) -> Outcome:
    """Ask `system` all questions one after the other; those without evidence only for leaks."""
    outcome = Outcome()
    report.step(title or system.name, len(asked))
    for one in asked:
        question = one.question
        if question.evidence or question.forbidden:
            depths = measures.depths(question.evidence) if question.evidence else (20,)
            rankings = {depth: _refs(log, await system.rank(one, depth)) for depth in depths}
            outcome.leaks += sum(
                len(question.forbidden.intersection(ranking)) for ranking in rankings.values()
            )
            if question.evidence:
                row = measures.measured(rankings, question.evidence)
                outcome.rows.append(row)
                outcome.kinds.append(question.kind)
                outcome.details.append(_detail(system.name, question, rankings, row))
        report.advance()
    report.close()
    return outcome


def _detail(
    system: str,
    question: BenchQuestion,
    rankings: Mapping[int, Sequence[MessageRef]],
    row: Mapping[str, float],
) -> dict[str, Any]:
    answer = rankings[measures.ANSWER_SIZE]
    return {
        "system": system,
        "id": question.id,
        "kind": question.kind,
        "question": question.text,
        "measures": dict(row),
        "ranking": [list(ref) for ref in answer],
        "missed": sorted(list(ref) for ref in question.evidence.difference(answer)),
    }


def _refs(log: BenchLog, keys: Sequence[str]) -> list[MessageRef]:
    return [log.ref(key) for key in keys]


def summary(outcome: Outcome, standard: Outcome | None) -> dict[str, Any]:
    """One system's entry in the results: means, intervals, types, and the paired test."""
    entry: dict[str, Any] = {**outcome.means(), "questions": len(outcome.rows)}
    if outcome.leaks:
        entry["leaks"] = outcome.leaks
    if not outcome.rows:
        return entry
    entry["interval95"] = {name: list(interval(outcome.column(name))) for name in TESTED}
    entry["by_type"] = measures.means_by(outcome.rows, outcome.kinds)
    if standard is not None and standard is not outcome:
        entry[f"versus_{STANDARD}"] = {
            name: comparison(outcome.column(name), standard.column(name)) for name in TESTED
        }
    return entry


def comparison(values: Sequence[float], others: Sequence[float]) -> dict[str, float | None]:
    """Difference and ratio of two means over the same questions, and how likely by chance."""
    mean, other = sum(values) / len(values), sum(others) / len(others)
    return {
        "difference": mean - other,
        "ratio": mean / other if other else None,
        "p": paired_p_value(values, others),
    }
