"""Writing planned trees so that an interruption at any point heals with the next build."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from .records import NodeRecord, TreeRecord
from .store import ForestStore, Row, Transaction

RELATIONSHIPS_PER_TRANSACTION = 4000
"""So much fits a transaction of a few hundred milliseconds; a larger tree takes several."""


@dataclass(slots=True)
class TreeChange:
    """How a stored tree becomes the planned one.

    Attributes:
        tree: its properties; its `nodes` are those that changed, from the leaves to the root.
        root: key of the root, whether it changed or not.
        size: messages in the tree.
        gone: keys of stored nodes that it no longer has.
        contexts: (message, episode, terms of its neighbours) for a CHANNEL tree's changed leaves.
        actors, artifacts: keys of subjects whose own trees the change touches.
    """

    tree: TreeRecord
    root: str
    size: int
    span_from: datetime
    span_to: datetime
    gone: tuple[str, ...] = ()
    contexts: list[tuple[str, str, str]] = field(default_factory=list)
    actors: frozenset[str] = frozenset()
    artifacts: frozenset[str] = frozenset()

    @property
    def weight(self) -> int:
        """About how many relationships and nodes it writes."""
        return (
            sum(len(node.children) + 2 for node in self.tree.nodes)
            + len(self.contexts)
            + len(self.gone)
            + 1
        )


async def write_changes(store: ForestStore, changes: Sequence[TreeChange]) -> None:
    """Write changes, small ones together in one transaction, a large one in several."""
    batch: list[TreeChange] = []
    weight = 0
    for change in changes:
        if change.weight > RELATIONSHIPS_PER_TRANSACTION:
            await _change_in_parts(store, change)
            continue
        if weight + change.weight > RELATIONSHIPS_PER_TRANSACTION and batch:
            await _change_at_once(store, batch)
            batch, weight = [], 0
        batch.append(change)
        weight += change.weight
    if batch:
        await _change_at_once(store, batch)


async def _change_at_once(store: ForestStore, changes: Sequence[TreeChange]) -> None:
    async def work(tx: Transaction) -> None:
        await _mark_subjects(tx, changes)
        await _write_trees(tx, changes, final=True)
        await _write_nodes(tx, [(c.tree, node) for c in changes for node in c.tree.nodes])
        await _write_contexts(tx, [row for change in changes for row in change.contexts])
        await _set_roots(tx, changes)
        gone = sorted(key for change in changes for key in change.gone)
        if gone:
            await tx.run("forest/delete_nodes", {"keys": gone})

    await store.write_transaction(work)


async def _change_in_parts(store: ForestStore, change: TreeChange) -> None:
    async def begin(tx: Transaction) -> None:
        await _mark_subjects(tx, [change])
        await _write_trees(tx, [change], final=False)

    await store.write_transaction(begin)
    contexts: dict[str, list[tuple[str, str, str]]] = {}
    for row in change.contexts:
        contexts.setdefault(row[1], []).append(row)
    for part in _parts(change.tree.nodes):
        rows = [row for node in part for row in contexts.get(node.key, ())]

        async def write(
            tx: Transaction,
            part: Sequence[NodeRecord] = part,
            rows: Sequence[tuple[str, str, str]] = rows,
        ) -> None:
            await _write_nodes(tx, [(change.tree, node) for node in part])
            await _write_contexts(tx, rows)

        await store.write_transaction(write)
    for start in range(0, len(change.gone), RELATIONSHIPS_PER_TRANSACTION):
        part_of_gone = change.gone[start : start + RELATIONSHIPS_PER_TRANSACTION]
        await store.write("forest/delete_nodes", {"keys": sorted(part_of_gone)})

    async def end(tx: Transaction) -> None:
        await _write_trees(tx, [change], final=True)
        await _set_roots(tx, [change])

    await store.write_transaction(end)


def _parts(nodes: Sequence[NodeRecord]) -> Iterable[list[NodeRecord]]:
    part: list[NodeRecord] = []
    weight = 0
    for node in nodes:
        # A message of a channel leaf is written twice: its placement and its context.
        part.append(node)
        weight += 2 * len(node.children) + 2
        if weight >= RELATIONSHIPS_PER_TRANSACTION:
            yield part
            part, weight = [], 0
    if part:
        yield part


async def _mark_subjects(tx: Transaction, changes: Sequence[TreeChange]) -> None:
    actors = sorted(set().union(*(change.actors for change in changes)))
    artifacts = sorted(set().union(*(change.artifacts for change in changes)))
    if actors or artifacts:
        await tx.run("forest/mark_subjects", {"actors": actors, "artifacts": artifacts})


async def _write_trees(tx: Transaction, changes: Sequence[TreeChange], *, final: bool) -> None:
    rows = [_tree_row(change, final=final) for change in changes]
    await tx.run("forest/upsert_trees", {"rows": sorted(rows, key=lambda row: str(row["key"]))})


async def _set_roots(tx: Transaction, changes: Sequence[TreeChange]) -> None:
    rows = [{"key": change.tree.key, "root": change.root} for change in changes]
    await tx.run("forest/set_roots", {"rows": rows})


async def _write_nodes(tx: Transaction, nodes: Sequence[tuple[TreeRecord, NodeRecord]]) -> None:
    if not nodes:
        return
    await tx.run("forest/upsert_nodes", {"rows": [_node_row(t, node) for t, node in nodes]})
    leaves = [
        {"key": node.key, "children": list(node.children), "view": tree.view.value}
        for tree, node in nodes
        if node.level == 1
    ]
    if leaves:
        await tx.run("forest/place_messages", {"rows": leaves})
    inner = [
        {"key": node.key, "children": list(node.children)} for _, node in nodes if node.level > 1
    ]
    if inner:
        await tx.run("forest/link_children", {"rows": inner})


async def _write_contexts(tx: Transaction, rows: Sequence[tuple[str, str, str]]) -> None:
    if rows:
        await tx.run("forest/set_contexts", {"rows": [list(row) for row in rows]})


def _tree_row(change: TreeChange, *, final: bool) -> Row:
    tree = change.tree
    properties: Row = {
        "workspace": tree.workspace,
        "view": tree.view.value,
        "subject": tree.subject,
        "audience": tree.audience,
        "name": tree.name,
        "digest": None,
    }
    if final:
        properties |= {
            "aliases": list(tree.aliases),
            "alias_terms": tree.alias_terms,
            "card_text": tree.card_text,
            "card_terms": tree.card_terms,
            "digest": tree.digest,
            "size": change.size,
            "span_from": change.span_from,
            "span_to": change.span_to,
        }
        # Fields that the card has no longer go away.
        properties |= {f"card_{name}": list(lines) or None for name, lines in tree.card.items()}
    return {"key": tree.key, "subject": tree.subject, "properties": properties}


def _node_row(tree: TreeRecord, node: NodeRecord) -> Row:
    return {
        "key": node.key,
        "properties": {
            "workspace": tree.workspace,
            "tree": tree.key,
            "view": tree.view.value,
            "audience": tree.audience,
            "level": node.level,
            "size": node.size,
            "span_from": node.span_from,
            "span_to": node.span_to,
            "stamp_from": stamp(node.span_from),
            "stamp_to": stamp(node.span_to),
            "caption": node.caption,
            "summary": node.summary,
            "terms": node.terms,
            "header_terms": node.header_terms,
            "summary_terms": node.summary_terms,
            "digest": node.digest,
        },
    }


def stamp(moment: datetime) -> str:
    """A time as digits that sort like it: `YYYYMMDDHHMMSSmmm` in UTC."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y%m%d%H%M%S}{utc.microsecond // 1000:03}"
