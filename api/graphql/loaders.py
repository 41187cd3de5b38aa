"""Data loaders: what the fields of one operation need is fetched in batches.

Siblings ask in the same turn of the event loop, so a list of a hundred rows costs one query for
each field below it, as a list of one does. The arguments of a page are part of the key: what asks
alike is fetched together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from strawberry.dataloader import DataLoader

from ...graph.read_records import (
    BridgeFacts,
    MessageFacts,
    NodeFacts,
    Page,
    PageSpec,
    PlacementFacts,
    RevisionFacts,
    Selection,
    ThreadFacts,
    Totals,
    TreeFacts,
)
from ...graph.reading import Reading
from ...graph.records import BridgeKind, Scope, View
from ...text.cleaning import without_surrogates
from ..service import Service
from .inputs import LONGEST_KEY

K = TypeVar("K", bound=Hashable)
A = TypeVar("A", bound=Hashable)
V = TypeVar("V")

Lists: TypeAlias = DataLoader[tuple[str, A], list[V]]
"""Lists by key and arguments."""

P = TypeVar("P", bound=PageSpec)

ThreadOf = tuple[str, str | None, str]
"""Key of a message, source id of its thread's root if it says so, its own source id."""

ThreadKey = tuple[str, str, str]
"""Key, channel and source id of a thread."""


class Loaders:
    """The loaders of one operation; of one event in a subscription.

    Args:
        service: the graph and the encoder.
        scope: what the asker may see; nothing else is ever loaded.

    Attributes:
        reading: for root fields, which ask once.
    """

    def __init__(self, service: Service, scope: Scope) -> None:
        self.service = service
        self.scope = scope
        self.reading = reading = Reading(service.store)
        catalog, forest, messages = reading.catalog, reading.forest, reading.messages

        self.channel = _by_key(scope, catalog.channels_by_key)
        self.actor = _by_key(scope, catalog.actors_by_key)
        self.artifact = _by_key(scope, catalog.artifacts_by_key)
        self.coverage = _by_key(scope, catalog.coverage)
        self.tree = _by_key(scope, forest.trees_by_key)
        self.node = _by_key(scope, forest.nodes_by_key)
        self.message = _by_key(scope, messages.by_key)
        self.newer = _by_key(scope, messages.current)
        self.replied_to = _by_key(scope, messages.replied_to)
        self.ancestors: Lists[None, NodeFacts] = _lists(
            lambda keys, _: forest.ancestors(scope, keys)
        )

        self.trees_of: Lists[int, TreeFacts] = _lists(
            lambda keys, limit: forest.trees_of_subjects(scope, keys, limit=limit)
        )
        self.revisions: Lists[int, RevisionFacts] = _lists(
            lambda keys, limit: messages.revisions(scope, keys, limit=limit)
        )
        self.mentions: Lists[int, str] = _lists(
            lambda keys, limit: messages.mentions(scope, keys, limit=limit)
        )
        self.placements = _lists(self._placements)
        self.bridges = _lists(self._bridges)

        self.channel_messages = _pages(scope, messages.of_channels)
        self.actor_messages = _pages(scope, messages.of_actors)
        self.artifact_messages = _pages(scope, messages.of_artifacts)
        self.children = _pages(scope, forest.children)
        self.node_messages = _pages(scope, forest.messages)
        self.replies = _pages(scope, messages.replies)

        self.thread: DataLoader[ThreadOf, ThreadFacts | None] = DataLoader(self._threads)
        self.thread_messages = _grouped(self._thread_messages, Page[MessageFacts])
        self.totals: DataLoader[Selection, Totals] = DataLoader(self._totals)

    async def _placements(
        self, keys: list[str], asked: tuple[int, View | None]
    ) -> Mapping[str, list[PlacementFacts]]:
        limit, view = asked
        return await self.reading.messages.placements(
            self.scope, keys, limit=limit, views=None if view is None else [view]
        )

    async def _bridges(
        self, keys: list[str], asked: tuple[int, BridgeKind | None]
    ) -> Mapping[str, list[BridgeFacts]]:
        limit, kind = asked
        return await self.reading.messages.bridges(
            self.scope, keys, limit=limit, kinds=None if kind is None else [kind]
        )

    async def _threads(self, keys: list[ThreadOf]) -> list[ThreadFacts | None]:
        found = await self.reading.messages.threads(
            self.scope, {key: (thread, source_id) for key, thread, source_id in keys}
        )
        return [found.get(key) for key, _, _ in keys]

    async def _thread_messages(
        self, keys: list[ThreadKey], spec: PageSpec
    ) -> Mapping[ThreadKey, Page[MessageFacts]]:
        found = await self.reading.messages.of_threads(
            self.scope, {key: (channel, thread) for key, channel, thread in keys}, spec
        )
        return {key: found[key[0]] for key in keys if key[0] in found}

    async def _totals(self, selections: list[Selection]) -> list[Totals]:
        statistics = self.reading.statistics
        return await asyncio.gather(
            *(statistics.totals(self.scope, selection) for selection in selections)
        )


def _by_key(
    scope: Scope, fetch: Callable[[Scope, Sequence[str]], Awaitable[Mapping[str, V]]]
) -> DataLoader[str, V | None]:
    """One record for each key; None for what is not there, or not visible."""

    async def load(keys: list[str]) -> list[V | None]:
        found = await fetch(scope, _plausible(scope, keys))
        return [found.get(key) for key in keys]

    return DataLoader(load)


def _pages(
    scope: Scope,
    fetch: Callable[[Scope, Sequence[str], P], Awaitable[Mapping[str, Page[V]]]],
) -> DataLoader[tuple[str, P], Page[V]]:
    """One page for each key; empty for what is not there, or not visible."""

    async def load(keys: list[str], spec: P) -> Mapping[str, Page[V]]:
        return await fetch(scope, keys, spec)

    return _grouped(load, Page[V])


def _lists(
    fetch: Callable[[list[str], A], Awaitable[Mapping[str, list[V]]]],
) -> DataLoader[tuple[str, A], list[V]]:
    """One list for each key; empty for what is not there, or not visible."""
    return _grouped(fetch, list[V])


def _grouped(
    fetch: Callable[[list[K], A], Awaitable[Mapping[K, V]]], missing: Callable[[], V]
) -> DataLoader[tuple[K, A], V]:
    """Keys with arguments: those with the same arguments are fetched together."""

    async def load(asked: list[tuple[K, A]]) -> list[V]:
        groups: dict[A, list[K]] = {}
        for key, arguments in asked:
            groups.setdefault(arguments, []).append(key)
        parts = await asyncio.gather(*(fetch(keys, args) for args, keys in groups.items()))
        found = dict(zip(groups, parts, strict=True))
        return [
            found[arguments][key] if key in found[arguments] else missing()
            for key, arguments in asked
        ]

    return DataLoader(load)


def _plausible(scope: Scope, keys: Sequence[str]) -> list[str]:
    """Those of `keys` that may be keys of the workspace: clients send what they like."""
    prefix = f"{scope.workspace}/"
    return [
        key
        for key in map(without_surrogates, keys)
        if key.startswith(prefix) and len(key) <= LONGEST_KEY
    ]
