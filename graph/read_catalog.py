"""Reads of the workspace, its channels, actors and artifacts, and what the log holds of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .keys import tree_prefix
from .read_records import (
    ActorFacts,
    ArtifactFacts,
    ChannelFacts,
    CoverageFacts,
    Page,
    PageSpec,
    SubjectFilter,
    SubjectOrder,
    WorkspaceFacts,
)
from .read_rows import (
    actor_facts,
    artifact_facts,
    channel_facts,
    maybe_utc,
    page,
    page_params,
    scoped,
)
from .records import Scope, View
from .store import ForestStore

T = TypeVar("T", ChannelFacts, ActorFacts, ArtifactFacts)


class CatalogReads:
    """Lists and look-ups of subjects. `scope` comes first, and nothing outside of it is counted."""

    def __init__(self, store: ForestStore) -> None:
        self._store = store

    async def workspace(self, scope: Scope) -> WorkspaceFacts:
        """The workspace, as far as it is visible."""
        prefix = f"{scope.workspace}/"
        params = scoped(scope) | {
            "asker": scope.actor,
            "channels": f"{prefix}c/",
            "channel_trees": tree_prefix(scope.workspace, View.CHANNEL),
            "actor_trees": tree_prefix(scope.workspace, View.ACTOR),
            "artifact_trees": tree_prefix(scope.workspace, View.ARTIFACT),
        }
        rows = await self._store.read("reading/workspace", params)
        row = rows[0]
        return WorkspaceFacts(
            scope.workspace,
            maybe_utc(row["created_at"]),
            maybe_utc(row["since"]),
            maybe_utc(row["until"]),
            row["messages"],
            row["channels"],
            row["actors"],
            row["artifacts"],
        )

    async def channels(
        self, scope: Scope, spec: PageSpec, order: SubjectOrder, wanted: SubjectFilter
    ) -> Page[ChannelFacts]:
        """One page of the visible channels."""
        params = {"prefix": f"{scope.workspace}/c/"}
        return await self._page(
            "reading/channels", scope, spec, order, wanted, params, channel_facts
        )

    async def actors(
        self, scope: Scope, spec: PageSpec, order: SubjectOrder, wanted: SubjectFilter
    ) -> Page[ActorFacts]:
        """One page of the visible actors; `wanted.kinds` does not matter."""
        params = {"prefix": tree_prefix(scope.workspace, View.ACTOR), "asker": scope.actor}
        return await self._page("reading/actors", scope, spec, order, wanted, params, actor_facts)

    async def artifacts(
        self, scope: Scope, spec: PageSpec, order: SubjectOrder, wanted: SubjectFilter
    ) -> Page[ArtifactFacts]:
        """One page of the visible artifacts."""
        params = {"prefix": tree_prefix(scope.workspace, View.ARTIFACT)}
        return await self._page(
            "reading/artifacts", scope, spec, order, wanted, params, artifact_facts
        )

    async def channels_by_key(self, scope: Scope, keys: Sequence[str]) -> dict[str, ChannelFacts]:
        """Those of the channels `keys` that are visible."""
        return await self._by_key("reading/channels_by_key", scope, keys, channel_facts)

    async def actors_by_key(self, scope: Scope, keys: Sequence[str]) -> dict[str, ActorFacts]:
        """Those of the actors `keys` that are visible: they have a visible tree, wrote a visible
        message, or are the asker."""
        return await self._by_key("reading/actors_by_key", scope, keys, actor_facts)

    async def artifacts_by_key(self, scope: Scope, keys: Sequence[str]) -> dict[str, ArtifactFacts]:
        """Those of the artifacts `keys` that have a visible tree."""
        return await self._by_key("reading/artifacts_by_key", scope, keys, artifact_facts)

    async def coverage(self, scope: Scope, channels: Sequence[str]) -> dict[str, CoverageFacts]:
        """What the log holds of each of `channels`, counted anew from its messages."""
        if not channels:
            return {}
        rows = await self._store.read("reading/coverage", {**scoped(scope), "keys": list(channels)})
        return {
            key: CoverageFacts(key, maybe_utc(first), maybe_utc(last), messages)
            for key, first, last, messages in rows[0]["rows"]
        }

    async def _page(
        self,
        name: str,
        scope: Scope,
        spec: PageSpec,
        order: SubjectOrder,
        wanted: SubjectFilter,
        params: dict[str, Any],
        make: Callable[[Sequence[Any]], T],
    ) -> Page[T]:
        rows = await self._store.read(
            name,
            {
                **scoped(scope),
                **page_params(spec),
                **params,
                "order": order.value,
                "starts": wanted.starts.lower(),
                "kinds": None if wanted.kinds is None else list(wanted.kinds),
                "active_since": wanted.active_since,
            },
        )
        return page(spec, rows[0]["rows"], make, lambda row: row.key, rows[0]["total"])

    async def _by_key(
        self,
        name: str,
        scope: Scope,
        keys: Sequence[str],
        make: Callable[[Sequence[Any]], T],
    ) -> dict[str, T]:
        if not keys:
            return {}
        rows = await self._store.read(
            name, {**scoped(scope), "keys": list(keys), "asker": scope.actor}
        )
        return {found.key: found for found in map(make, rows[0]["rows"])}
