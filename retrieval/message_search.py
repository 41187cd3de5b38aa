"""Searching for messages, as a list to page through: words and meaning, no structure."""

from __future__ import annotations

import asyncio

from ..graph.read_records import SearchFilter
from ..graph.read_search import SearchReads
from ..graph.records import Scope
from ..graph.store import ForestStore
from ..text.encoders.base import Encoder
from .analysis import read_question
from .fusion import convex
from .parameters import RetrievalParameters

DEPTH = 200
"""A search looks at so many of the best messages: ten pages of twenty."""


class MessageSearch:
    """Ranks messages by their words and by what they mean.

    Args:
        store: opened and prepared; stays the caller's.
        encoder: the one whose vectors are in the graph.
        parameters: weights of words and vectors, the same as in S1.
    """

    def __init__(
        self, store: ForestStore, encoder: Encoder, parameters: RetrievalParameters | None = None
    ) -> None:
        self._reads = SearchReads(store)
        self._encoder = encoder
        self._parameters = parameters or RetrievalParameters()

    async def rank(
        self, text: str, scope: Scope, wanted: SearchFilter, *, limit: int = DEPTH
    ) -> list[tuple[str, float]]:
        """Keys of the best messages with their scores, 1 being the best that can be; best first.

        Args:
            text: anything that a person types; no syntax.
            scope: what the asker may see; every search carries it.
            wanted: further conditions, which all that comes out meets.
            limit: how many at most.
        """
        p = self._parameters
        if wanted.within.empty:
            return []
        terms = read_question(text).terms(p.part_weight)
        by_words, by_vector = await asyncio.gather(
            self._reads.by_words(scope, terms, wanted, fields=p.message_fields, limit=limit),
            self._by_vector(text, scope, wanted, limit),
        )
        fused = convex((by_words, by_vector), (p.own_words, p.own_vector))
        best = p.own_words + p.own_vector
        ordered = sorted(fused, key=lambda key: (-fused[key], key))
        return [(key, fused[key] / best) for key in ordered[:limit]]

    async def _by_vector(
        self, text: str, scope: Scope, wanted: SearchFilter, limit: int
    ) -> dict[str, float]:
        vector = await asyncio.to_thread(self._encoder.encode_query, text)
        return await self._reads.by_vector(scope, vector.tolist(), wanted, limit=limit)
