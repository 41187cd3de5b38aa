"""Searches of messages for a list that a person pages through, with the filters of one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from .lucene import StampRange, TermWeight, text_query
from .read_records import SearchFilter
from .read_rows import bounds, scoped
from .records import Scope
from .store import ForestStore

_WIDEST = 6400
"""A search by vector looks at most at so many neighbours for those that pass the filter."""

Scores = dict[str, float]


class SearchReads:
    """Messages by words and by vector. `scope` comes first and is part of each search."""

    def __init__(self, store: ForestStore) -> None:
        self._store = store

    async def by_words(
        self,
        scope: Scope,
        terms: Sequence[TermWeight],
        wanted: SearchFilter,
        *,
        fields: Mapping[str, float],
        limit: int,
    ) -> Scores:
        """Key to score of the best `limit` messages by `terms` (boosts in `fields`)."""
        exact = {
            name: values
            for name, values in (("channel", wanted.channels), ("author", wanted.authors))
            if values is not None
        }
        query = text_query(scope, terms, fields, exact=exact, stamps=_stamps(wanted))
        params = {
            "limit": limit,
            "view": None if wanted.view is None else wanted.view.value,
            **bounds(wanted.within),
        }
        parts = await asyncio.gather(
            *(
                self._store.read(
                    "reading/search_by_words", {**scoped(scope), **params, "query": text}
                )
                for text in query.strings
            )
        )
        return _best([hit for rows in parts for hit in rows[0]["hits"]], limit)

    async def by_vector(
        self, scope: Scope, vector: Sequence[float], wanted: SearchFilter, *, limit: int
    ) -> Scores:
        """Key to cosine of the `limit` messages nearest to `vector` that pass the filter.

        Channels, authors and view are not known to the index: where they are asked for, it is
        asked for more until enough of them are left, up to the nearest 6,400.
        """
        filtered = any(
            condition is not None for condition in (wanted.view, wanted.channels, wanted.authors)
        )
        params: dict[str, Any] = {
            "vector": list(vector),
            "channels": None if wanted.channels is None else list(wanted.channels),
            "authors": None if wanted.authors is None else list(wanted.authors),
            "view": None if wanted.view is None else wanted.view.value,
            **bounds(wanted.within),
        }
        looked_at = 4 * limit if filtered else limit
        while True:
            rows = await self._store.read(
                "reading/search_by_vector", {**scoped(scope), **params, "limit": looked_at}
            )
            hits, seen = rows[0]["hits"], rows[0]["seen"]
            if len(hits) >= limit or seen < looked_at or looked_at >= _WIDEST:
                return _best(hits, limit)
            looked_at = min(4 * looked_at, _WIDEST)


def _best(hits: Sequence[Sequence[Any]], limit: int) -> Scores:
    ordered = sorted(hits, key=lambda hit: (-hit[1], hit[0]))
    return {key: float(score) for key, score in ordered[:limit]}


def _stamps(wanted: SearchFilter) -> StampRange | None:
    within = wanted.within
    if within.since is None and within.until is None:
        return None
    latest = None if within.until is None else within.until - timedelta(microseconds=1)
    return StampRange(within.since, latest)
