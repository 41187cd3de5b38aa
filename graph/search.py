"""Searches and traversals over the forests, each within the scope of one asker.

`scope` is the first argument of every method: no search can be called without saying for whom.
Workspace, audiences and times are predicates inside each index search and on each hop, never a
filter on what comes out. Results come packed into one row, because rows cost more than searches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from .keys import tree_prefix
from .lucene import StampRange, TermWeight, TextQuery, text_query
from .records import Scope, View
from .search_records import (
    ALL_VIEWS,
    ALWAYS,
    AncestorHit,
    HopHit,
    JoinHit,
    LeafMessage,
    MessageHit,
    MessageText,
    NodeHit,
    Opening,
    Overview,
    PlacementHit,
    TimeRange,
    TreeHit,
    WordSearch,
)
from .search_rows import (
    ancestor_hit,
    leaf_message,
    message_hit,
    message_text,
    node_hit,
    tree_hit,
    utc,
    whole,
)
from .store import ForestStore, Row

EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
LATEST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
_AUDIENCES_PER_VECTOR_SEARCH = 4000

# Where what a living node always has stands in packed rows.
_TREE_KEYS = (0, 1, 2, 3, 4)
_LEAF_KEYS = (0, 1, 2, 4)
_ANCESTOR_KEYS = (0, 1)

Hits = list[list[Any]]


class ForestSearch:
    """Typed reads for retrieval over an opened store; safe to call concurrently."""

    def __init__(self, store: ForestStore) -> None:
        self._store = store

    async def names(
        self,
        scope: Scope,
        terms: Sequence[TermWeight],
        *,
        fields: Mapping[str, float],
        limit: int,
        views: Sequence[View] = ALL_VIEWS,
    ) -> tuple[list[TreeHit], Overview]:
        """Trees by the words of `alias_terms` and `card_terms` (boosts in `fields`), and how much
        `scope` sees and until when.

        At most `limit` trees of each view, best first within a view.
        """
        queries = [
            text
            for view in views
            for text in text_query(scope, terms, fields, exact={"view": [str(view)]}).strings
        ]
        params = {
            "queries": queries,
            "limit": limit,
            "prefix": tree_prefix(scope.workspace, View.CHANNEL),
        }
        row = (await self._store.read("search/names", _scoped(scope) | params))[0]
        return [tree_hit(hit) for hit in whole(row["hits"], _TREE_KEYS)], _overview(row)

    async def trees_of_subjects(self, scope: Scope, subjects: Sequence[str]) -> list[TreeHit]:
        """All visible trees of the channels, actors or artifacts with the keys `subjects`."""
        if not subjects:
            return []
        hits = await self._hits("search/trees_of_subjects", scope, {"subjects": list(subjects)})
        return [tree_hit(hit) for hit in whole(hits, _TREE_KEYS)]

    async def messages_by_words(
        self, scope: Scope, searches: Sequence[WordSearch]
    ) -> list[list[MessageHit]]:
        """Messages by the words of `terms` and `context_terms`: for each search, best first."""
        queries = [
            text_query(
                scope,
                search.terms,
                search.fields,
                every={"terms": search.all_of},
                stamps=_stamps(search.within),
            )
            for search in searches
        ]
        found = await self._full_text("search/messages_by_words", scope, searches, queries, score=1)
        return [[message_hit(hit) for hit in whole(hits)] for hits in found]

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
        return [message_hit(hit) for hit in whole(hits)]

    async def nodes_by_words(
        self, scope: Scope, searches: Sequence[WordSearch]
    ) -> list[list[NodeHit]]:
        """Nodes by `terms`, `header_terms` and `summary_terms`: for each search, best first."""
        queries = []
        for search in searches:
            exact: dict[str, Sequence[str]] = {"view": [str(view) for view in search.views]}
            if search.headed:
                exact["header_terms"] = search.headed
            stamps = _stamps(search.within, "stamp_to", "stamp_from")
            queries.append(
                text_query(scope, search.terms, search.fields, exact=exact, stamps=stamps)
            )
        found = await self._full_text("search/nodes_by_words", scope, searches, queries, score=4)
        return [[node_hit(hit) for hit in whole(hits)] for hits in found]

    async def nodes_by_vector(
        self,
        scope: Scope,
        vector: Sequence[float],
        *,
        limit: int,
        views: Sequence[View] = ALL_VIEWS,
        within: TimeRange = ALWAYS,
    ) -> list[NodeHit]:
        """Nodes of all levels by the cosine of their vectors to `vector`, nearest first."""
        extra = {"views": [str(view) for view in views]}
        hits = await self._nearest(
            "search/nodes_by_vector", scope, vector, limit, within, extra, score=4
        )
        return [node_hit(hit) for hit in whole(hits)]

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
        self, scope: Scope, openings: Sequence[Opening], *, within: TimeRange = ALWAYS
    ) -> list[list[LeafMessage]]:
        """The messages below the nodes of each opening, in order of time below each node."""
        found: list[list[LeafMessage]] = [[] for _ in openings]
        asked = [
            {
                "number": number,
                "keys": list(opening.nodes),
                "leaves": opening.leaves,
                "terms": opening.terms,
            }
            for number, opening in enumerate(openings)
            if opening.nodes
        ]
        if asked and not within.empty:
            params = {"openings": asked, **_bounds(within)}
            for number, hits in await self._hits("search/leaf_messages", scope, params):
                found[number] = [leaf_message(hit) for hit in whole(hits, _LEAF_KEYS)]
        return found

    async def sittings(
        self,
        scope: Scope,
        leaves: Sequence[str],
        *,
        silence: float,
        within: TimeRange = ALWAYS,
    ) -> list[LeafMessage]:
        """The messages of the level-1 nodes `leaves` and of those beside each, with their terms;
        more than `silence` minutes apart they are not of one sitting."""
        if not leaves or within.empty:
            return []
        params = {"leaves": list(leaves), "silence": round(silence), **_bounds(within)}
        hits = await self._hits("search/sittings", scope, params)
        return [leaf_message(hit) for hit in whole(hits, _LEAF_KEYS)]

    async def tree_messages(
        self,
        scope: Scope,
        trees: Sequence[str],
        *,
        limit: int,
        worded: Iterable[str] = (),
        within: TimeRange = ALWAYS,
    ) -> list[LeafMessage]:
        """The messages of each of `trees`, the latest `limit` of one, in order of time.

        Args:
            worded: the trees whose messages' terms are needed, too.
        """
        if not trees or within.empty:
            return []
        params = {
            "trees": list(trees),
            "limit": limit,
            "worded": list(worded),
            **_bounds(within),
        }
        return [
            leaf_message(hit)
            for hit in whole(await self._hits("search/tree_messages", scope, params), _LEAF_KEYS)
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
        return [ancestor_hit(hit) for hit in whole(hits, _ANCESTOR_KEYS)]

    async def message_texts(
        self, scope: Scope, messages: Sequence[str], *, within: TimeRange = ALWAYS
    ) -> dict[str, MessageText]:
        """`messages` verbatim, by key; one that is not visible or not current is missing."""
        if not messages or within.empty:
            return {}
        params = {"keys": list(messages), **_bounds(within)}
        hits = await self._hits("search/message_texts", scope, params)
        return {hit[0]: message_text(hit) for hit in hits}

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
        searches: Sequence[WordSearch],
        queries: Sequence[TextQuery],
        *,
        score: int,
    ) -> list[Hits]:
        """All searches in one round trip; the parts of one whose audiences need several queries
        merged by score."""
        asked = [
            {"number": number, "query": text, "limit": search.limit, **_bounds(search.within)}
            for number, (search, query) in enumerate(zip(searches, queries, strict=True))
            if not search.within.empty
            for text in query.strings
        ]
        parts: list[list[Hits]] = [[] for _ in searches]
        if asked:
            for number, found in await self._hits(name, scope, {"searches": asked}):
                parts[number].append(found)
        return [
            _merged(of_one, search.limit, score) if of_one else []
            for search, of_one in zip(searches, parts, strict=True)
        ]

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
            params |= {"since": within.since or EARLIEST, "until": within.until or LATEST}
        audiences = tuple(dict.fromkeys(scope.audiences))
        parts = await asyncio.gather(
            *(
                self._hits(name, Scope(scope.workspace, audiences[start:end], scope.actor), params)
                for start in range(0, len(audiences), _AUDIENCES_PER_VECTOR_SEARCH)
                for end in (start + _AUDIENCES_PER_VECTOR_SEARCH,)
            )
        )
        return _merged(parts, limit, score)


def _overview(row: Row) -> Overview:
    if row["until"] is None:
        return Overview(None, 0.0, 0, 0)
    since, until = utc(row["since"]), utc(row["until"])
    days = (until - since).total_seconds() / 86_400
    return Overview(until, days, row["messages"], row["channels"])


def _scoped(scope: Scope) -> dict[str, Any]:
    return {"workspace": scope.workspace, "audiences": list(dict.fromkeys(scope.audiences))}


def _merged(parts: Sequence[Hits], limit: int, score: int) -> Hits:
    if len(parts) == 1:
        return parts[0]
    # One document has one audience, so it is in one part only.
    return sorted((hit for part in parts for hit in part), key=lambda hit: (-hit[score], hit[0]))[
        :limit
    ]


# The one before it is the first that there is.
_SECOND_MOMENT = datetime.min.replace(microsecond=1, tzinfo=UTC)


def _stamps(
    within: TimeRange, field_from: str = "stamp", field_to: str = "stamp"
) -> StampRange | None:
    if within == ALWAYS:
        return None
    # Stamps have milliseconds and both ends of their range are included: the queries compare the
    # exact times of the few that stand on a boundary once more.
    latest = (
        None
        if within.until is None
        else max(within.until, _SECOND_MOMENT) - timedelta(microseconds=1)
    )
    return StampRange(within.since, latest, field_from, field_to)


def _bounds(within: TimeRange) -> dict[str, datetime | None]:
    """An open end is null, and not a time far off: the driver takes long to write one."""
    return {"since": within.since, "until": within.until}
