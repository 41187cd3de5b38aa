"""Writing planned trees so that an interruption at any point heals with the next build.

A batch that is small enough is one transaction. Otherwise a node's digest is written with its own
children, a tree's when all of its nodes are there, and marks are taken off last of all: what was
left half-written differs from the plan and is written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from .forest_records import Naming, TreeBatch, TreeChange
from .records import NodeRecord, TreeRecord
from .store import Row

WEIGHT_PER_TRANSACTION = 4000
"""So many relationships fit a transaction of a few hundred milliseconds."""

_QUERIES: dict[str, tuple[str, ...]] = {
    "write_names": ("unnamed", "named"),
    "write_marks": ("touched_actors", "touched_artifacts"),
    "write_nodes": ("trees", "new_nodes", "known_nodes"),
    "about_channels": ("about_channels",),
    "about_actors": ("about_actors",),
    "about_artifacts": ("about_artifacts",),
    "write_links": ("leaves", "inner", "contexts"),
    "write_roots": ("new_roots", "roots"),
    "remove": ("gone_nodes", "gone_trees"),
    "write_bridges": ("gone_bridges", "new_bridges"),
    "finish_channels": ("built_channels",),
    "finish_actors": ("built_actors",),
    "finish_artifacts": ("built_artifacts",),
}
"""Queries in the order in which they run, and what each takes; one without rows is left out.

One query for each kind of row would cost a message that is logged by itself twice the time. One
for all of them is planned for seconds, again and again while the graph grows."""

Params = dict[str, list[Any]]


Query = tuple[str, Mapping[str, Any]]
"""The name of a query, and its parameters without the workspace."""


def write_steps(batch: TreeBatch) -> Iterator[list[Query]]:
    """The transactions that make what is stored what was planned."""
    naming, last = _naming_params(batch), _last_params(batch)
    gone = [key for tree in batch.gone for key in tree.nodes]
    weight = (
        sum(change.weight for change in batch.changes)
        + len(gone)
        + sum(len(naming.messages) for naming in (*batch.added, *batch.removed))
    )
    if weight <= WEIGHT_PER_TRANSACTION:
        changes = _change_params(batch.changes, final=True)
        steps: Iterable[Params] = [_merged(naming, changes, {"gone_nodes": gone}, last)]
    else:
        parts = ({"gone_nodes": list(part)} for part in _slices(gone))
        steps = chain([naming], _groups(batch.changes), parts, [last])
    for step in steps:
        queries: list[Query] = [
            (f"forest/{name}", {param: _sorted(step.get(param, [])) for param in params})
            for name, params in _QUERIES.items()
            if any(step.get(param) for param in params)
        ]
        if queries:
            yield queries


def _groups(changes: Sequence[TreeChange]) -> Iterator[Params]:
    """Small changes together, a large one in parts."""
    group: list[TreeChange] = []
    weight = 0
    for change in changes:
        if change.weight > WEIGHT_PER_TRANSACTION:
            yield from _parts(change)
            continue
        if weight + change.weight > WEIGHT_PER_TRANSACTION and group:
            yield _change_params(group, final=True)
            group, weight = [], 0
        group.append(change)
        weight += change.weight
    if group:
        yield _change_params(group, final=True)


def _parts(change: TreeChange) -> Iterator[Params]:
    """The tree without its digest and all marks first, then its nodes from the leaves upwards."""
    yield _merged(_subject_params([change]), _tree_params([change], final=False))
    contexts: dict[str, list[tuple[str, str, str]]] = {}
    for row in change.contexts:
        contexts.setdefault(row[1], []).append(row)
    part: list[tuple[TreeChange, NodeRecord]] = []
    weight = 0

    def params() -> Params:
        rows = [list(row) for _, node in part for row in contexts.get(node.key, ())]
        return _merged(_node_params(part), {"contexts": rows})

    for node in change.tree.nodes:
        # A message of a channel leaf is written twice: its placement and its context.
        part.append((change, node))
        weight += 2 * len(node.children) + 2
        if weight >= WEIGHT_PER_TRANSACTION:
            yield params()
            part, weight = [], 0
    if part:
        yield params()
    for keys in _slices(change.gone):
        yield {"gone_nodes": list(keys)}
    yield _merged(_tree_params([change], final=True), _root_params([change]))


def _change_params(changes: Sequence[TreeChange], *, final: bool) -> Params:
    return _merged(
        _subject_params(changes),
        _tree_params(changes, final=final),
        _node_params([(change, node) for change in changes for node in change.tree.nodes]),
        {"contexts": [list(row) for change in changes for row in change.contexts]},
        _root_params(changes),
        {"gone_nodes": [key for change in changes for key in change.gone]},
    )


def _naming_params(batch: TreeBatch) -> Params:
    return {
        "unnamed": [_naming_row(naming) for naming in batch.removed],
        "named": [_naming_row(naming) for naming in batch.added],
    }


def _last_params(batch: TreeBatch) -> Params:
    return {
        "gone_trees": [tree.key for tree in batch.gone],
        "gone_bridges": [list(bridge) for bridge in batch.gone_bridges],
        "new_bridges": [list(bridge) for bridge in batch.new_bridges],
        f"built_{batch.view}s": [
            {"key": key, "reading": reading} for key, reading in batch.finished.items()
        ],
    }


def _subject_params(changes: Sequence[TreeChange]) -> Params:
    return {
        "touched_actors": list(set().union(*(change.actors for change in changes))),
        "touched_artifacts": list(set().union(*(change.artifacts for change in changes))),
    }


def _tree_params(changes: Sequence[TreeChange], *, final: bool) -> Params:
    params: Params = {"trees": [_tree_row(change, final=final) for change in changes]}
    for change in changes:
        if change.new:
            about = {"key": change.tree.key, "subject": change.tree.subject}
            params.setdefault(f"about_{change.tree.view}s", []).append(about)
    return params


def _root_params(changes: Sequence[TreeChange]) -> Params:
    params: Params = {"new_roots": [], "roots": []}
    for change in changes:
        if change.new_root:
            row = {"key": change.tree.key, "root": change.root}
            params["new_roots" if change.new else "roots"].append(row)
    return params


def _node_params(nodes: Sequence[tuple[TreeChange, NodeRecord]]) -> Params:
    params: Params = {"known_nodes": [], "new_nodes": [], "leaves": [], "inner": []}
    for change, node in nodes:
        stored = "known_nodes" if node.key in change.known else "new_nodes"
        params[stored].append(_node_row(change.tree, node))
        params["leaves" if node.level == 1 else "inner"].append(
            {"key": node.key, "children": list(node.children), "view": change.tree.view.value}
        )
    return params


def _merged(*parts: Params) -> Params:
    merged: Params = {}
    for part in parts:
        for name, rows in part.items():
            merged[name] = [*merged.get(name, []), *rows]
    return merged


def _sorted(rows: list[Any]) -> list[Any]:
    """`rows` by key, so that transactions which run at the same time lock in one order."""
    return sorted(rows, key=lambda row: row["key"] if isinstance(row, dict) else row)


def _slices(keys: Sequence[str]) -> Iterable[Sequence[str]]:
    for start in range(0, len(keys), WEIGHT_PER_TRANSACTION):
        yield keys[start : start + WEIGHT_PER_TRANSACTION]


def _naming_row(naming: Naming) -> Row:
    return {
        "key": naming.key,
        "kind": naming.kind,
        "identifier": naming.identifier,
        "messages": list(naming.messages),
    }


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
