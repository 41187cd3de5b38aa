"""Writing planned trees so that an interruption at any point heals with the next build.

A batch that is small enough is one transaction. Otherwise a node's digest is written with its own
children, a tree's when all of its nodes are there, and marks are taken off last of all: what was
left half-written differs from the plan and is written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from .forest_records import Naming, TreeBatch, TreeChange
from .records import NodeRecord, TreeRecord
from .store import ForestStore, Row, Transaction

WEIGHT_PER_TRANSACTION = 4000
"""So many relationships fit a transaction of a few hundred milliseconds."""


async def write_batch(store: ForestStore, workspace: str, batch: TreeBatch) -> None:
    """Make what is stored what was planned."""
    weight = (
        sum(change.weight for change in batch.changes)
        + sum(len(tree.nodes) for tree in batch.gone)
        + sum(len(naming.messages) for naming in (*batch.added, *batch.removed))
    )
    if weight <= WEIGHT_PER_TRANSACTION:

        async def all_at_once(tx: Transaction) -> None:
            await _change_naming(tx, workspace, batch)
            await _change_trees(tx, batch.changes)
            await _delete_nodes(tx, [key for tree in batch.gone for key in tree.nodes])
            await _finish(tx, batch)

        await store.write_transaction(all_at_once)
        return
    await store.write_transaction(lambda tx: _change_naming(tx, workspace, batch))
    await _change_in_groups(store, batch.changes)
    gone = [key for tree in batch.gone for key in tree.nodes]
    for part in _slices(gone):
        await store.write("forest/delete_nodes", {"keys": sorted(part)})
    await store.write_transaction(lambda tx: _finish(tx, batch))


async def _change_in_groups(store: ForestStore, changes: Sequence[TreeChange]) -> None:
    group: list[TreeChange] = []
    weight = 0
    for change in changes:
        if change.weight > WEIGHT_PER_TRANSACTION:
            await _change_in_parts(store, change)
            continue
        if weight + change.weight > WEIGHT_PER_TRANSACTION and group:
            await _change_group(store, group)
            group, weight = [], 0
        group.append(change)
        weight += change.weight
    if group:
        await _change_group(store, group)


async def _change_group(store: ForestStore, changes: Sequence[TreeChange]) -> None:
    await store.write_transaction(lambda tx: _change_trees(tx, changes))


async def _change_trees(tx: Transaction, changes: Sequence[TreeChange]) -> None:
    if not changes:
        return
    await _mark_subjects(tx, changes)
    await _write_trees(tx, changes, final=True)
    await _write_nodes(tx, [(c.tree, node) for c in changes for node in c.tree.nodes])
    await _write_contexts(tx, [row for change in changes for row in change.contexts])
    await _set_roots(tx, changes)
    await _delete_nodes(tx, [key for change in changes for key in change.gone])


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
    for part_of_gone in _slices(change.gone):
        await store.write("forest/delete_nodes", {"keys": sorted(part_of_gone)})

    async def end(tx: Transaction) -> None:
        await _write_trees(tx, [change], final=True)
        await _set_roots(tx, [change])

    await store.write_transaction(end)


async def _change_naming(tx: Transaction, workspace: str, batch: TreeBatch) -> None:
    for query, naming in (("unname_artifacts", batch.removed), ("name_artifacts", batch.added)):
        if naming:
            rows = [_naming_row(n) for n in sorted(naming, key=lambda n: n.key)]
            await tx.run(f"forest/{query}", {"rows": rows, "workspace": workspace})


async def _finish(tx: Transaction, batch: TreeBatch) -> None:
    if batch.gone:
        await tx.run("forest/delete_trees", {"keys": sorted(tree.key for tree in batch.gone)})
    if batch.gone_bridges:
        await tx.run("forest/delete_bridges", {"rows": sorted(map(list, batch.gone_bridges))})
    if batch.new_bridges:
        await tx.run("forest/create_bridges", {"rows": sorted(map(list, batch.new_bridges))})
    rows: list[Row] = [{"key": k, "reading": batch.finished[k]} for k in sorted(batch.finished)]
    await tx.run(f"forest/finish_{batch.view}s", {"rows": rows})


async def _delete_nodes(tx: Transaction, keys: Sequence[str]) -> None:
    if keys:
        await tx.run("forest/delete_nodes", {"keys": sorted(keys)})


def _slices(keys: Sequence[str]) -> Iterable[Sequence[str]]:
    for start in range(0, len(keys), WEIGHT_PER_TRANSACTION):
        yield keys[start : start + WEIGHT_PER_TRANSACTION]


def _parts(nodes: Sequence[NodeRecord]) -> Iterable[list[NodeRecord]]:
    part: list[NodeRecord] = []
    weight = 0
    for node in nodes:
        # A message of a channel leaf is written twice: its placement and its context.
        part.append(node)
        weight += 2 * len(node.children) + 2
        if weight >= WEIGHT_PER_TRANSACTION:
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
    rows = [{"key": c.tree.key, "root": c.root} for c in changes if c.new_root]
    if rows:
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


def _naming_row(naming: Naming) -> Row:
    return {
        "key": naming.key,
        "kind": naming.kind,
        "identifier": naming.identifier,
        "messages": list(naming.messages),
    }
