"""How good a ranking is, given the evidence: exact, per question, in 0..1.

A system is asked for its best 20, its best 50 and its best as many as there is evidence; what
is measured at a cutoff comes from the ranking that was asked for that many (5 and 10 from the
one of 20, because 20 is what an answer holds by default). For a plain ranking these are
prefixes of one another; a system that shares out a budget may differ.

A place that a ranking leaves empty counts as a miss, and a message counts once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K")

CUTOFFS = (5, 10, 20, 50)
ANSWER_SIZE = 20
DEEPEST = 50

MEASURES = (
    *(f"P@{k}" for k in CUTOFFS),
    *(f"R@{k}" for k in CUTOFFS),
    "R-precision",
    "MRR",
    f"all@{ANSWER_SIZE}",
)
"""Names of the measures, in the order of tables."""


def depths(evidence: Collection[K]) -> tuple[int, ...]:
    """How many messages to ask a system for, so that a question can be measured."""
    return tuple(sorted({ANSWER_SIZE, DEEPEST, len(evidence)}))


def hits(ranking: Sequence[K], evidence: Collection[K], k: int) -> int:
    """How many different pieces of evidence are among the first `k` of `ranking`."""
    return len(set(ranking[:k]) & set(evidence))


def precision_at(k: int, ranking: Sequence[K], evidence: Collection[K]) -> float:
    """Share of the first `k` places that hold evidence."""
    return hits(ranking, evidence, k) / k


def recall_at(k: int, ranking: Sequence[K], evidence: Collection[K]) -> float:
    """Share of the evidence that is among the first `k`."""
    return hits(ranking, evidence, k) / len(evidence)


def r_precision(ranking: Sequence[K], evidence: Collection[K]) -> float:
    """Precision at the place up to which a perfect ranking would hold nothing but evidence."""
    return precision_at(len(evidence), ranking, evidence)


def reciprocal_rank(ranking: Sequence[K], evidence: Collection[K]) -> float:
    """1 / place of the first piece of evidence among the first `DEEPEST`; 0 if there is none."""
    for place, key in enumerate(ranking[:DEEPEST], start=1):
        if key in evidence:
            return 1 / place
    return 0.0


def all_found(k: int, ranking: Sequence[K], evidence: Collection[K]) -> float:
    """1 if all evidence is among the first `k`, else 0."""
    return float(hits(ranking, evidence, k) == len(evidence))


def measured(rankings: Mapping[int, Sequence[K]], evidence: Collection[K]) -> dict[str, float]:
    """All measures of one question.

    Args:
        rankings: for each of `depths(evidence)`, the ranking that was asked for that many.
        evidence: not empty.

    Raises:
        ValueError: there is no evidence, so there is nothing to measure.
    """
    if not evidence:
        raise ValueError("A question without evidence cannot be measured.")
    by_cutoff = {k: rankings[max(k, ANSWER_SIZE)] for k in CUTOFFS}
    values = {f"P@{k}": precision_at(k, ranking, evidence) for k, ranking in by_cutoff.items()}
    values |= {f"R@{k}": recall_at(k, ranking, evidence) for k, ranking in by_cutoff.items()}
    values["R-precision"] = r_precision(rankings[len(evidence)], evidence)
    values["MRR"] = reciprocal_rank(rankings[DEEPEST], evidence)
    values[f"all@{ANSWER_SIZE}"] = all_found(ANSWER_SIZE, rankings[ANSWER_SIZE], evidence)
    return values


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure over questions; empty without questions."""
    if not rows:
        return {}
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}


def means_by(
    rows: Sequence[Mapping[str, float]], kinds: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Means by type of question, each with the number of its `questions`."""
    grouped: dict[str, list[Mapping[str, float]]] = {}
    for row, kind in zip(rows, kinds, strict=True):
        grouped.setdefault(kind, []).append(row)
    return {
        kind: {"questions": float(len(some)), **means(some)}
        for kind, some in sorted(grouped.items())
    }
