"""Reading trees as they are stored, for people who want to look at a forest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .keys import tree_prefix
from .records import Scope, View
from .store import ForestStore

CARD_FIELDS = (
    "name", "role", "title", "kind", "identifiers", "purpose", "period", "participants",
    "channels", "topics", "owner", "status_changes", "decisions", "commitments", "works_with",
    "dates",
)  # fmt: skip
"""The fields of all views' cards, in an order that suits each of them."""


@dataclass(frozen=True, slots=True)
class StoredTree:
    """A tree's root card.

    Attributes:
        size: number of messages below.
        card: field name to its lines, in the order of the card.
    """

    key: str
    view: View
    subject: str
    audience: str
    name: str
    aliases: tuple[str, ...]
    size: int
    span_from: datetime | None
    span_to: datetime | None
    card: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class StoredNode:
    """A forest node with what is below it, in order; `children` is empty at level 1."""

    key: str
    level: int
    size: int
    span_from: datetime
    span_to: datetime
    caption: str
    summary: str
    children: tuple[StoredNode, ...] = ()


class InspectionStore:
    """Typed reads of trees. Everything goes through the scope of whoever asks."""

    def __init__(self, store: ForestStore) -> None:
        self._store = store

    async def find_trees(self, scope: Scope, view: View, name: str, key: str) -> list[StoredTree]:
        """Trees of `view` whose subject has the key `key` or is called `name`, largest first."""
        return await self._trees(scope, view, name.lower(), key)

    async def all_trees(self, scope: Scope, view: View) -> list[StoredTree]:
        """All visible trees of `view`, largest first."""
        return await self._trees(scope, view, None, None)

    async def root(self, scope: Scope, tree: StoredTree) -> StoredNode | None:
        """The root of `tree` with everything below it; None if the tree is gone."""
        rows = await self._store.read(
            "inspect/nodes",
            {
                "tree": tree.key,
                "workspace": scope.workspace,
                "audiences": list(scope.audiences),
            },
        )
        return _assembled(rows[0]["nodes"])

    async def _trees(
        self, scope: Scope, view: View, name: str | None, key: str | None
    ) -> list[StoredTree]:
        rows = await self._store.read(
            "inspect/trees",
            {
                "prefix": tree_prefix(scope.workspace, view),
                "workspace": scope.workspace,
                "audiences": list(scope.audiences),
                "name": name,
                "key": key,
            },
        )
        return [_tree(row) for row in rows[0]["trees"]]


def _tree(row: Mapping[str, Any]) -> StoredTree:
    card = {name: tuple(lines) for name in CARD_FIELDS if (lines := row[f"card_{name}"])}
    return StoredTree(
        key=row["key"],
        view=View(row["view"]),
        subject=row["subject"],
        audience=row["audience"],
        name=row["name"],
        aliases=tuple(row["aliases"] or ()),
        size=row["size"] or 0,
        span_from=_native(row["span_from"]),
        span_to=_native(row["span_to"]),
        card=card,
    )


def _assembled(rows: list[Mapping[str, Any]]) -> StoredNode | None:
    """Nodes come roots first; built from the leaves up, each parent finds its children made."""
    below: dict[str | None, list[tuple[int, StoredNode]]] = {}
    for row in reversed(rows):
        children = sorted(below.pop(row["key"], []), key=lambda pair: pair[0])
        node = StoredNode(
            key=row["key"],
            level=row["level"],
            size=row["size"],
            span_from=row["span_from"].to_native(),
            span_to=row["span_to"].to_native(),
            caption=row["caption"] or "",
            summary=row["summary"] or "",
            children=tuple(child for _, child in children),
        )
        below.setdefault(row["parent"], []).append((row["position"] or 0, node))
    roots = below.get(None, [])
    return roots[0][1] if roots else None


def _native(value: Any) -> datetime | None:
    native: datetime | None = None if value is None else value.to_native()
    return native
