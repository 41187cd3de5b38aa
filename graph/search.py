"""Searches and traversals over the forests, each within the scope of one asker.

`scope` is the first argument of every method: no search can be called without saying for whom.
Workspace, audiences and times are predicates inside each index search and on each hop, never a
filter on what comes out. Results come packed into one row, because rows cost more than searches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from .lucene import StampRange, TermWeight, TextQuery, text_query
from .records import Scope, View
from .search_records import (
    ALWAYS,
    AncestorHit,
    HopHit,
    JoinHit,
    LeafMessage,
    MessageHit,
    MessageText,
    NodeHit,
    Overview,
    PlacementHit,
    TimeRange,
    TreeHit,
)
from .search_rows import leaf_message, message_hit, message_text, node_hit, tree_hit, utc
from .store import ForestStore

ALL_VIEWS: tuple[View, ...] = tuple(View)
HIGHEST_LEVEL = 64
"""Above any level a tree can have."""

_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
_LATEST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
_AUDIENCES_PER_VECTOR_SEARCH = 4000

Hits = list[list[Any]]


class ForestSearch:
    """Typed reads for retrieval over an opened store; safe to call concurrently."""

    def __init__(self, store: ForestStore) -> None:
        self._store = store

    async def trees_by_words(
        self,
        scope: Scope,
        terms: Sequence[TermWeight],
        *,
        fields: Mapping[str, float],
        limit: int,
        views: Sequence[View] = ALL_VIEWS,
    ) -> list[TreeHit]:
        """Trees by the words of `alias_terms` and `card_terms` (boosts in `fields`).

        At most `limit` of each view, best first within a view.
        """
        queries = [
            text
            for view in views
            for text in text_query(scope, terms, fields, exact={"view": [str(view)]}).strings
        ]
        if not queries:
            return []
        params = {"queries": queries, "limit": limit}
        return [tree_hit(hit) for hit in await self._hits("search/trees_by_words", scope, params)]

    async def trees_of_subjects(self, scope: Scope, subjects: Sequence[str]) -> list[TreeHit]:
        """All visible trees of the channels, actors or artifacts with the keys `subjects`."""
        if not subjects:
            return []
        hits = await self._hits("search/trees_of_subjects", scope, {"subjects": list(subjects)})
        return [tree_hit(hit) for hit in hits]

    async def messages_by_words(
        self,
        scope: Scope,
        terms: Sequence[TermWeight],
        *,
        fields: Mapping[str, float],
        limit: int,
        within: TimeRange = ALWAYS,
        all_of: Sequence[str] = (),
    ) -> list[MessageHit]:
        """Messages by the words of `terms` and `context_terms` (boosts in `fields`), best first.

        Args:
            all_of: terms that must all be among the message's own.
        """
        if within.empty:
            return []
        query = text_query(scope, terms, fields, every={"terms": all_of}, stamps=_stamps(within))
        hits = await self._full_text(
            "search/messages_by_words", scope, query, limit, within, score=1
        )
        return [message_hit(hit) for hit in hits]

    async def messages_by_vector(
        self,
        scope: Scope,
        vector: Sequence[float],
        *,
        limit: int,
        within: TimeRange = ALWAYS,
    ) -> list[MessageHit]:
        """Messages by the cosine of their vectors to `vector`, nearest first."""
        hits = await self._nearest("search/messages_by_vector", scope, vector, limit, within, {}, 1)
        return [message_hit(hit) for hit in hits]

    async def nodes_by_words(
        self,
        scope: Scope,
        terms: Sequence[TermWeight],
        *,
        fields: Mapping[str, float],
        limit: int,
        views: Sequence[View] = ALL_VIEWS,
        within: TimeRange = ALWAYS,
        headed: Sequence[str] = (),
    ) -> list[NodeHit]:
        """Nodes by `terms`, `header_terms` and `summary_terms` (boosts in `fields`), best first.

        Args:
            headed: if given, terms of which one must be in the node's header.
        """
        if within.empty:
            return []
        exact: dict[str, Sequence[str]] = {"view": [str(view) for view in views]}
        if headed:
            exact["header_terms"] = headed
        query = text_query(
            scope,
            terms,
            fields,
            exact=exact,
            stamps=_stamps(within, "stamp_to", "stamp_from"),
        )
        hits = await self._full_text("search/nodes_by_words", scope, query, limit, within, score=7)
        return [node_hit(hit) for hit in hits]

    async def nodes_by_vector(
        self,
        scope: Scope,
        vector: Sequence[float],
        *,
        limit: int,
        views: Sequence[View] = ALL_VIEWS,
        levels: tuple[int, int] = (1, HIGHEST_LEVEL),
        within: TimeRange = ALWAYS,
    ) -> list[NodeHit]:
        """Nodes of `levels` (both ends included) by cosine to `vector`, nearest first."""
        extra = {
            "views": [str(view) for view in views],
            "from_level": levels[0],
            "to_level": levels[1],
        }
        hits = await self._nearest(
            "search/nodes_by_vector", scope, vector, limit, within, extra, score=7
        )
        return [node_hit(hit) for hit in hits]

    async def placements(
        self, scope: Scope, messages: Sequence[str], *, views: Sequence[View] = ALL_VIEWS
    ) -> list[PlacementHit]:
        """The leaves that `messages` stand in, one entry for each tree."""
        if not messages:
            return []
        params = {"keys": list(messages), "views": [str(view) for view in views]}
        hits = await self._hits("search/placements", scope, params)
        return [
            PlacementHit(message, node, tree, View(view), position)
            for message, node, tree, view, position in hits
        ]

    async def leaf_messages(
        self,
        scope: Scope,
        nodes: Sequence[str],
        *,
        leaves: int,
        within: TimeRange = ALWAYS,
    ) -> list[LeafMessage]:
        """The messages below each of `nodes`, at most `leaves` leaves of one, in order of time."""
        if not nodes or within.empty:
            return []
        params = {"keys": list(nodes), "leaves": leaves, **_bounds(within)}
        return [
            leaf_message(hit) for hit in await self._hits("search/leaf_messages", scope, params)
        ]

    async def tree_messages(
        self, scope: Scope, trees: Sequence[str], *, limit: int, within: TimeRange = ALWAYS
    ) -> list[LeafMessage]:
        """The messages of each of `trees`, the latest `limit` of one, in order of time."""
        if not trees or within.empty:
            return []
        params = {"trees": list(trees), "limit": limit, **_bounds(within)}
        return [
            leaf_message(hit) for hit in await self._hits("search/tree_messages", scope, params)
        ]

    async def joined(
        self,
        scope: Scope,
        first: Sequence[str],
        second: Sequence[str],
        *,
        limit: int,
        within: TimeRange = ALWAYS,
    ) -> list[JoinHit]:
        """Messages placed in one of the trees `first` and one of `second`, the latest first."""
        if not first or not second or within.empty:
            return []
        params = {
            "first": list(first),
            "second": list(second),
            "limit": limit,
            **_bounds(within),
        }
        hits = await self._hits("search/joined", scope, params)
        return [JoinHit(message, a, b, episode or "") for message, a, b, episode in hits]

    async def hops(
        self, scope: Scope, messages: Sequence[str], *, limit: int, within: TimeRange = ALWAYS
    ) -> list[HopHit]:
        """Bridges from `messages` in both directions, at most `limit` from each."""
        if not messages or within.empty:
            return []
        params = {"keys": list(messages), "limit": limit, **_bounds(within)}
        hits = await self._hits("search/hops", scope, params)
        return [
            HopHit(source, target, kind, identifier, episode or "")
            for source, target, kind, identifier, episode in hits
        ]

    async def ancestors(
        self, scope: Scope, leaves: Sequence[str], *, height: int
    ) -> list[AncestorHit]:
        """`leaves` themselves and up to `height` levels above each, from the leaf upwards."""
        if not leaves:
            return []
        params = {"keys": list(leaves), "height": height}
        hits = await self._hits("search/ancestors", scope, params)
        return [
            AncestorHit(
                leaf,
                key,
                level,
                tree,
                View(view),
                name,
                caption or "",
                summary or "",
                utc(span_from),
                utc(span_to),
            )
            for leaf, key, level, tree, view, name, caption, summary, span_from, span_to in hits
        ]

    async def message_texts(
        self, scope: Scope, messages: Sequence[str], *, within: TimeRange = ALWAYS
    ) -> dict[str, MessageText]:
        """`messages` verbatim, by key; one that is not visible or not current is missing."""
        if not messages or within.empty:
            return {}
        params = {"keys": list(messages), **_bounds(within)}
        hits = await self._hits("search/message_texts", scope, params)
        return {hit[0]: message_text(hit) for hit in hits}

    async def overview(self, scope: Scope) -> Overview:
        """How much `scope` sees, and until when."""
        params = _scoped(scope) | {"prefix": f"{scope.workspace}/t/{View.CHANNEL}/"}
        row = (await self._store.read("search/overview", params))[0]
        if row["until"] is None:
            return Overview(None, 0.0, 0, 0)
        since, until = utc(row["since"]), utc(row["until"])
        days = (until - since).total_seconds() / 86_400
        return Overview(until, days, row["messages"], row["channels"])

    async def circle(self, scope: Scope, *, limit: int) -> list[str]:
        """Keys of the asker's own channels, those with the fewest members first."""
        if scope.actor is None:
            return []
        params = {"actor": scope.actor, "limit": limit}
        return cast("list[str]", await self._hits("search/circle", scope, params))

    async def _hits(self, name: str, scope: Scope, params: Mapping[str, Any]) -> Hits:
        rows = await self._store.read(name, {**_scoped(scope), **params})
        return cast("Hits", rows[0]["hits"]) if rows else []

    async def _full_text(
        self,
        name: str,
        scope: Scope,
        query: TextQuery,
        limit: int,
        within: TimeRange,
        *,
        score: int,
    ) -> Hits:
        """One search, or several merged by score where the audiences need more than one query."""
        parts = await asyncio.gather(
            *(
                self._hits(name, scope, {"query": text, "limit": limit, **_bounds(within)})
                for text in query.strings
            )
        )
        return _merged(parts, limit, score)

    async def _nearest(
        self,
        name: str,
        scope: Scope,
        vector: Sequence[float],
        limit: int,
        within: TimeRange,
        extra: Mapping[str, Any],
        score: int,
    ) -> Hits:
        if within.empty:
            return []
        params = {"vector": list(vector), "limit": limit, **extra}
        if within != ALWAYS:
            name += "_in_time"
            params |= _bounds(within)
        audiences = tuple(dict.fromkeys(scope.audiences))
        parts = await asyncio.gather(
            *(
                self._hits(name, Scope(scope.workspace, audiences[start:end], scope.actor), params)
                for start in range(0, len(audiences), _AUDIENCES_PER_VECTOR_SEARCH)
                for end in (start + _AUDIENCES_PER_VECTOR_SEARCH,)
            )
        )
        return _merged(parts, limit, score)


def _scoped(scope: Scope) -> dict[str, Any]:
    return {"workspace": scope.workspace, "audiences": list(dict.fromkeys(scope.audiences))}


def _merged(parts: Sequence[Hits], limit: int, score: int) -> Hits:
    if len(parts) == 1:
        return parts[0]
    # One document has one audience, so it is in one part only.
    return sorted((hit for part in parts for hit in part), key=lambda hit: (-hit[score], hit[0]))[
        :limit
    ]


def _stamps(
    within: TimeRange, field_from: str = "stamp", field_to: str = "stamp"
) -> StampRange | None:
    if within == ALWAYS:
        return None
    # Stamps have milliseconds and both ends of their range are included: the queries compare the
    # exact times of the few that stand on a boundary once more.
    latest = None if within.until is None else within.until - timedelta(microseconds=1)
    return StampRange(within.since, latest, field_from, field_to)


def _bounds(within: TimeRange) -> dict[str, datetime]:
    return {"since": within.since or _EARLIEST, "until": within.until or _LATEST}
