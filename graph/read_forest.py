"""Reads of trees and forest nodes by lists of keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .read_records import NodeFacts, Page, PageSpec, PlacedMessage, PlacementFacts, TreeFacts
from .read_rows import from_micros, message_facts, node_facts, page, page_params, scoped, tree_facts
from .records import Scope, View
from .search import EARLIEST
from .store import ForestStore


class ForestReads:
    """Trees and nodes. `scope` comes first; what it does not cover is missing from the answers."""

    def __init__(self, store: ForestStore) -> None:
        self._store = store

    async def trees_by_key(self, scope: Scope, keys: Sequence[str]) -> dict[str, TreeFacts]:
        """Those of the trees `keys` that are visible."""
        rows = await self._rows("reading/trees_by_key", scope, keys)
        return {tree.key: tree for tree in map(tree_facts, rows)}

    async def trees_of_subjects(
        self, scope: Scope, subjects: Sequence[str], *, limit: int
    ) -> dict[str, list[TreeFacts]]:
        """The visible trees of each of `subjects`, at most `limit` of one, the largest first."""
        rows = await self._rows("reading/trees_of_subjects", scope, subjects, limit=limit)
        found: dict[str, list[TreeFacts]] = {}
        for tree in map(tree_facts, rows):
            found.setdefault(tree.subject, []).append(tree)
        return found

    async def nodes_by_key(self, scope: Scope, keys: Sequence[str]) -> dict[str, NodeFacts]:
        """Those of the forest nodes `keys` that are visible."""
        rows = await self._rows("reading/nodes_by_key", scope, keys)
        return {node.key: node for node in map(node_facts, rows)}

    async def ancestors(self, scope: Scope, keys: Sequence[str]) -> dict[str, list[NodeFacts]]:
        """The nodes above each of `keys`, the root first."""
        rows = await self._rows("reading/node_ancestors", scope, keys)
        return {key: [node_facts(row) for row in found] for key, found in rows}

    async def children(
        self, scope: Scope, keys: Sequence[str], spec: PageSpec
    ) -> dict[str, Page[NodeFacts]]:
        """One page of the nodes right below each of `keys`, by (start, key)."""
        rows = await self._rows("reading/node_children", scope, keys, **page_params(spec))
        return {
            key: page(spec, found, lambda rest: node_facts(rest[0]), lambda row: row.key)
            for key, found in rows
        }

    async def messages(
        self, scope: Scope, keys: Sequence[str], spec: PageSpec
    ) -> dict[str, Page[PlacedMessage]]:
        """One page of the messages below each of `keys` with their placements, by (time, key)."""
        after = EARLIEST if spec.rank is None else from_micros(int(spec.rank))
        rows = await self._rows(
            "reading/node_messages", scope, keys, **page_params(spec), after_at=after
        )
        return {key: page(spec, found, _placed, lambda row: row.message.key) for key, found in rows}

    async def _rows(self, name: str, scope: Scope, keys: Sequence[str], **params: Any) -> list[Any]:
        if not keys:
            return []
        rows = await self._store.read(name, {**scoped(scope), "keys": list(keys), **params})
        return list(rows[0]["rows"])


def _placed(rest: Sequence[Any]) -> PlacedMessage:
    row, leaf, tree, view, position = rest
    message = message_facts(row)
    return PlacedMessage(message, PlacementFacts(message.key, leaf, tree, View(view), position))
