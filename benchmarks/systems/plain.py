"""The baselines without a graph: words, vectors, their fusions, and fixed groups.

All of them rank the same pool: what the asker may see.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..log import Pool, Scores
from .base import Asked

FUSED_DEPTH = 1000
"""Places of each ranking that a fusion looks at."""

RRF_CONSTANT = 60


class Bm25:
    """Okapi BM25 over the words of each message, its author's name among them."""

    name = "bm25"

    async def rank(self, asked: Asked, depth: int) -> Sequence[str]:
        """Messages that share a word with the question, by BM25."""
        return _keys(asked.pool, _best(asked.pool.bm25(asked.terms), depth))


class Dense:
    """Cosine of vectors, exactly, over all messages."""

    name = "dense"

    async def rank(self, asked: Asked, depth: int) -> Sequence[str]:
        """Messages by cosine."""
        return _keys(asked.pool, _nearest(asked.pool.cosine(asked.vector), depth))


class HybridRrf:
    """Reciprocal rank fusion of `Bm25` and `Dense` with equal weights: the standard hybrid."""

    name = "hybrid_rrf"

    async def rank(self, asked: Asked, depth: int) -> Sequence[str]:
        """Messages by the sum of 1 / (60 + place)."""
        fused = np.zeros(len(asked.pool))
        for ranking, _ in _rankings(asked):
            fused[ranking] += 1.0 / (RRF_CONSTANT + 1 + np.arange(len(ranking)))
        return _keys(asked.pool, _best(fused, depth))


class HybridConvex:
    """Sum of `Bm25` and `Dense` scores, each stretched to 0..1 over its best."""

    name = "hybrid_convex"

    async def rank(self, asked: Asked, depth: int) -> Sequence[str]:
        """Messages by the sum of the two stretched scores."""
        fused = np.zeros(len(asked.pool))
        for ranking, scores in _rankings(asked):
            if len(ranking):
                chosen = scores[ranking]
                low, high = float(chosen[-1]), float(chosen[0])
                fused[ranking] += (chosen - low) / (high - low) if high > low else 1.0
        return _keys(asked.pool, _best(fused, depth))


class Fixed16:
    """Consecutive messages in groups of 16, ranked by BM25; every message of a group is taken.

    This is the plain grouping of the paper, without views, summaries or completion.
    """

    name = "fixed16"

    async def rank(self, asked: Asked, depth: int) -> Sequence[str]:
        """The messages of the best groups, group by group, in order of time within each."""
        pool = asked.pool
        chosen = _best(pool.group_bm25(asked.terms), depth)
        positions = [position for group in chosen for position in pool.groups[group]]
        return _keys(pool, np.asarray(positions[:depth], dtype=np.intp))


def _rankings(asked: Asked) -> list[tuple[NDArray[np.intp], Scores]]:
    words, cosines = asked.pool.bm25(asked.terms), asked.pool.cosine(asked.vector)
    return [(_best(words, FUSED_DEPTH), words), (_nearest(cosines, FUSED_DEPTH), cosines)]


def _nearest(scores: Scores, depth: int) -> NDArray[np.intp]:
    """Positions of the `depth` greatest scores; the earlier position wins where they are equal."""
    order: NDArray[np.intp] = np.argsort(-scores, kind="stable")[:depth]
    return order


def _best(scores: Scores, depth: int) -> NDArray[np.intp]:
    """As `_nearest`, without those that score nothing.

    Okapi's weight of a word that most texts share is negative in a very small corpus, so a
    negative score is a match, too.
    """
    matched = np.flatnonzero(scores)
    chosen: NDArray[np.intp] = matched[_nearest(scores[matched], depth)]
    return chosen


def _keys(pool: Pool, positions: NDArray[np.intp]) -> list[str]:
    return [pool.keys[position] for position in positions]
