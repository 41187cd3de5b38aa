"""Reads of messages by lists of keys: who replies to what, threads, revisions, placements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from .keys import sibling_key
from .read_records import (
    BridgeFacts,
    MessageFacts,
    MessagePageSpec,
    Page,
    PageSpec,
    PlacementFacts,
    RevisionFacts,
    RevisionKind,
    ThreadFacts,
)
from .read_rows import from_micros, message_facts, page, page_params, scoped
from .records import BridgeKind, MessageKind, Scope, View
from .search import EARLIEST, LATEST
from .search_records import TimeRange
from .search_rows import utc
from .store import ForestStore

Pages = dict[str, Page[MessageFacts]]

_MICROSECOND = timedelta(microseconds=1)


class MessageReads:
    """Messages. `scope` comes first; what it does not cover is missing from the answers."""

    def __init__(self, store: ForestStore) -> None:
        self._store = store

    async def by_key(self, scope: Scope, keys: Sequence[str]) -> dict[str, MessageFacts]:
        """Those of the messages `keys` that are visible and current."""
        rows = await self._rows("reading/messages_by_key", scope, keys)
        return {message.key: message for message in map(message_facts, rows)}

    async def current(self, scope: Scope, keys: Sequence[str]) -> dict[str, str]:
        """Keys of the visible current entries of the messages that `keys` are any entries of."""
        return dict(await self._rows("reading/current_entries", scope, keys))

    async def of_channels(
        self, scope: Scope, channels: Sequence[str], spec: MessagePageSpec
    ) -> Pages:
        """One page of the messages of each of `channels`."""
        after = None
        if spec.rank is not None:
            after = from_micros(abs(int(spec.rank)))
            # The index begins where the page does.
            since, until = spec.within.since or EARLIEST, spec.within.until or LATEST
            within = (
                TimeRange(since, min(until, after + _MICROSECOND))
                if spec.newest
                else TimeRange(max(since, after), until)
            )
            spec = replace(spec, within=within)
        name = "reading/channel_messages_" + ("newest" if spec.newest else "oldest")
        return await self._pages(name, scope, channels, spec, after_at=after)

    async def of_actors(self, scope: Scope, actors: Sequence[str], spec: MessagePageSpec) -> Pages:
        """One page of the messages that each of `actors` wrote."""
        return await self._pages("reading/actor_messages", scope, actors, spec)

    async def of_artifacts(
        self, scope: Scope, artifacts: Sequence[str], spec: MessagePageSpec
    ) -> Pages:
        """One page of the messages in the trees of each of `artifacts`."""
        return await self._pages("reading/artifact_messages", scope, artifacts, spec)

    async def replied_to(self, scope: Scope, keys: Sequence[str]) -> dict[str, MessageFacts]:
        """What each of the messages `keys` replies to."""
        rows = await self._rows("reading/replies_to", scope, keys)
        return {key: message_facts(row) for key, row in rows}

    async def replies(self, scope: Scope, keys: Sequence[str], spec: PageSpec) -> Pages:
        """One page of the replies to each of the messages `keys`, by (time, key)."""
        return await self._pages("reading/replies", scope, keys, spec)

    async def threads(
        self, scope: Scope, messages: Mapping[str, tuple[str | None, str]]
    ) -> dict[str, ThreadFacts]:
        """The threads that messages belong to, by message; one outside of threads is missing.

        Args:
            messages: key to (source id of its thread's root or None, its own source id).
        """
        if not messages:
            return {}
        roots = {
            key: sibling_key(key, thread or source_id)
            for key, (thread, source_id) in messages.items()
        }
        rows = await self._store.read(
            "reading/threads",
            {
                **scoped(scope),
                "rows": [{"key": key, "root": root} for key, root in roots.items()],
            },
        )
        return {
            key: ThreadFacts(roots[key], channel, thread, root, replies, utc(last))
            for key, channel, thread, root, replies, last in rows[0]["rows"]
        }

    async def of_threads(
        self, scope: Scope, threads: Mapping[str, tuple[str, str]], spec: PageSpec
    ) -> Pages:
        """One page of each of `threads` (key to channel and source id of the root), the root and
        its replies by (time, key)."""
        if not threads:
            return {}
        rows = [
            {"id": key, "channel": channel, "thread": thread, "root": key}
            for key, (channel, thread) in threads.items()
        ]
        found = await self._store.read(
            "reading/thread_messages", {**scoped(scope), **page_params(spec), "rows": rows}
        )
        return _pages(found[0]["rows"], spec)

    async def revisions(
        self, scope: Scope, keys: Sequence[str], *, limit: int
    ) -> dict[str, list[RevisionFacts]]:
        """The entries of each of the visible messages `keys`, the newest first.

        What was said before a deletion is not told, even if the message was posted again.
        """
        rows = await self._rows("reading/revisions", scope, keys, limit=limit)
        return {key: [_revision(key, entry) for entry in entries] for key, entries in rows}

    async def placements(
        self,
        scope: Scope,
        keys: Sequence[str],
        *,
        limit: int,
        views: Sequence[View] | None = None,
    ) -> dict[str, list[PlacementFacts]]:
        """Where each of the messages `keys` stands, at most `limit` entries of each message."""
        chosen = None if views is None else [view.value for view in views]
        rows = await self._rows("reading/placements", scope, keys, limit=limit, views=chosen)
        return {
            key: [
                PlacementFacts(key, node, tree, View(view), position)
                for node, tree, view, position in found
            ]
            for key, found in rows
        }

    async def bridges(
        self,
        scope: Scope,
        keys: Sequence[str],
        *,
        limit: int,
        kinds: Sequence[BridgeKind] | None = None,
    ) -> dict[str, list[BridgeFacts]]:
        """The bridges of each of the messages `keys`, at most `limit` of each message."""
        chosen = None if kinds is None else [kind.value for kind in kinds]
        rows = await self._rows("reading/bridges", scope, keys, limit=limit, kinds=chosen)
        return {
            key: [
                BridgeFacts(BridgeKind(kind), identifier or "", leads, other)
                for kind, identifier, leads, other in found
            ]
            for key, found in rows
        }

    async def mentions(
        self, scope: Scope, keys: Sequence[str], *, limit: int
    ) -> dict[str, list[str]]:
        """Keys of the channels, actors and artifacts that each of the messages `keys` names.

        Not all of them need be visible: read them within the same scope.
        """
        rows = await self._rows("reading/mentions", scope, keys, limit=limit)
        return dict(rows)

    async def _pages(
        self, name: str, scope: Scope, keys: Sequence[str], spec: PageSpec, **params: Any
    ) -> Pages:
        return _pages(await self._rows(name, scope, keys, **page_params(spec), **params), spec)

    async def _rows(self, name: str, scope: Scope, keys: Sequence[str], **params: Any) -> list[Any]:
        if not keys:
            return []
        rows = await self._store.read(name, {**scoped(scope), "keys": list(keys), **params})
        return list(rows[0]["rows"])


def _pages(rows: Sequence[Any], spec: PageSpec) -> Pages:
    return {
        key: page(spec, found, lambda rest: message_facts(rest[0]), lambda row: row.key)
        for key, found in rows
    }


def _revision(message: str, entry: Sequence[Any]) -> RevisionFacts:
    key, revision, kind, text = entry
    if kind == MessageKind.TOMBSTONE:
        shown = RevisionKind.DELETED
    else:
        shown = RevisionKind.EDITED if revision else RevisionKind.POSTED
    return RevisionFacts(key, revision, shown, key == message, text)
