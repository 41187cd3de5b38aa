"""Making one ranking out of several. Pure functions over {key: score}."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

K = TypeVar("K")


def min_max(scores: Mapping[K, float], *, floor: float | None = None) -> dict[K, float]:
    """`scores` stretched to 0..1: only their order and distances within one search count.

    Lucene's absolute scores hang on the statistics of all workspaces, and cosines crowd together;
    after stretching the best is 1 whatever the scale was.

    Args:
        scores: any finite numbers.
        floor: what becomes 0; the smallest score if not given. A list that was cut at its best 200
            has a smallest score far above nothing, and a floor of 0 keeps its tail alive.

    Where all scores are equal each becomes 1: a single hit is the best hit.
    """
    if not scores:
        return {}
    low = min(scores.values()) if floor is None else min(floor, min(scores.values()))
    high = max(scores.values())
    if high <= low:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - low) / (high - low) for key, score in scores.items()}


def convex(
    rankings: Sequence[Mapping[K, float]],
    weights: Sequence[float],
    *,
    floors: Sequence[float | None] | None = None,
) -> dict[K, float]:
    """Weighted sum of min-max scores; what a ranking does not know counts 0 there.

    Measured better than reciprocal ranks with a small encoder every time (`docs/retrieval.md`).
    The sum is not divided by the weights: callers compare within one question only.
    """
    if len(rankings) != len(weights):
        raise ValueError(f"{len(rankings)} rankings and {len(weights)} weights.")
    limits = floors if floors is not None else [None] * len(rankings)
    fused: dict[K, float] = {}
    for ranking, weight, floor in zip(rankings, weights, limits, strict=True):
        if weight == 0:
            continue
        for key, score in min_max(ranking, floor=floor).items():
            fused[key] = fused.get(key, 0.0) + weight * score
    return fused


def reciprocal_rank(
    rankings: Sequence[Mapping[K, float]], weights: Sequence[float], *, constant: int = 60
) -> dict[K, float]:
    """Reciprocal rank fusion: sum of weight / (constant + rank), the best rank being 1.

    The alternative to `convex`. Equal scores keep the order they came in.
    """
    if len(rankings) != len(weights):
        raise ValueError(f"{len(rankings)} rankings and {len(weights)} weights.")
    fused: dict[K, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        ordered = sorted(ranking, key=lambda key: -ranking[key])
        for rank, key in enumerate(ordered, start=1):
            fused[key] = fused.get(key, 0.0) + weight / (constant + rank)
    return fused


def best_first(scores: Mapping[str, float], limit: int | None = None) -> list[str]:
    """Keys by falling score; equal scores by key, so that the same question answers the same."""
    ordered = sorted(scores, key=lambda key: (-scores[key], key))
    return ordered if limit is None else ordered[:limit]
