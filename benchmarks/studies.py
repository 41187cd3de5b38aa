"""Studies: the same questions to variants of EGCForest, to see what each part is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..builders.grouping import GroupingParameters
from ..builders.progress import Report
from ..graph.records import View
from ..retrieval.parameters import Fusion, RetrievalParameters
from . import measures
from .evaluation import Outcome, comparison, evaluate
from .log import BenchLog
from .systems.base import Asked
from .systems.forest import UNBOUNDED_TOKENS, EgcForest, WithoutAssembly

BUDGETS = (20, 30, 40, 50)
COMPARED = ("P@20", "R@50")
"""Measures that the variants are tested in."""

_Change = Callable[[RetrievalParameters], RetrievalParameters]


def _stages(*stages: str) -> _Change:
    return lambda parameters: replace(parameters, stages=stages)


def _views(*views: View) -> _Change:
    return lambda parameters: replace(parameters, views=views)


RETRIEVAL_STUDIES: Mapping[str, Mapping[str, _Change]] = {
    "stages": {
        "S1": _stages("s1"),
        "S1+S2": _stages("s1", "s2"),
        "S1+S3": _stages("s1", "s3"),
    },
    "views": {
        "channel": _views(View.CHANNEL),
        "channel+actor": _views(View.CHANNEL, View.ACTOR),
        "channel+artifact": _views(View.CHANNEL, View.ARTIFACT),
        "actor+artifact": _views(View.ACTOR, View.ARTIFACT),
    },
    "fusion": {"rrf": lambda p: replace(p, fusion=Fusion.RECIPROCAL_RANK)},
}
"""Variants that ask the same forest; the configuration itself is compared under its own name."""

OWN_NAMES: Mapping[str, str] = {
    "stages": "all",
    "views": "channel+actor+artifact",
    "fusion": "convex",
    "k": "k=16",
    "grouping": "episodes",
}

GROWING_STUDIES: Mapping[str, Mapping[str, GroupingParameters]] = {
    "k": {"k=8": GroupingParameters(k=8), "k=32": GroupingParameters(k=32)},
    "grouping": {"fixed": GroupingParameters(grouping="fixed")},
}
"""Variants that need a forest of their own."""

STUDIES = (*RETRIEVAL_STUDIES, "budget", *GROWING_STUDIES)


def entry(outcome: Outcome, full: Outcome | None = None) -> dict[str, Any]:
    """The result of a variant, and how it compares with the configuration itself."""
    found: dict[str, Any] = {**outcome.means(), "questions": len(outcome.rows)}
    if full is not None and outcome.rows:
        found["versus_all"] = {
            name: comparison(outcome.column(name), full.column(name)) for name in COMPARED
        }
    return found


async def retrieval_study(
    study: str,
    system: EgcForest,
    full: Outcome,
    asked: Sequence[Asked],
    log: BenchLog,
    report: Report,
) -> dict[str, Any]:
    """All variants of one of `RETRIEVAL_STUDIES`, the configuration itself last."""
    found: dict[str, Any] = {}
    for name, change in RETRIEVAL_STUDIES[study].items():
        variant = system.changed(change(system.parameters))
        outcome = await evaluate(variant, asked, log, report, f"{study}: {name}")
        found[name] = entry(outcome, full)
    if study == "stages":
        outcome = await evaluate(WithoutAssembly(system), asked, log, report, "stages: S1-S3")
        found["S1-S3"] = entry(outcome, full)
    return {**found, OWN_NAMES[study]: entry(full)}


async def budget_study(
    system: EgcForest, asked: Sequence[Asked], log: BenchLog, report: Report
) -> dict[str, Any]:
    """Precision, recall and tokens of answers that may hold 20, 30, 40 and 50 messages."""
    found: dict[str, Any] = {}
    measured = [one for one in asked if one.question.evidence]
    for budget in BUDGETS:
        report.step(f"budget: {budget}", len(measured))
        parameters = replace(system.parameters, items=budget, tokens=UNBOUNDED_TOKENS)
        rows: list[dict[str, float]] = []
        for one in measured:
            answer = await system.answer(one, parameters)
            ranking = [log.ref(item.key) for item in answer.items]
            rows.append(
                {
                    "precision": measures.precision_at(budget, ranking, one.question.evidence),
                    "recall": measures.recall_at(budget, ranking, one.question.evidence),
                    "tokens": float(answer.tokens),
                }
            )
            report.advance()
        report.close()
        found[str(budget)] = {**measures.means(rows), "questions": len(rows)}
    return found
