"""From rows of the reading queries to typed records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from .inspection import CARD_FIELDS
from .read_records import (
    ActorFacts,
    ArtifactFacts,
    ChannelFacts,
    MessageFacts,
    MessagePageSpec,
    NodeFacts,
    Page,
    PageSpec,
    Ranked,
    TreeFacts,
)
from .records import ChannelKind, Scope, View
from .search import EARLIEST, LATEST
from .search_records import TimeRange
from .search_rows import utc

T = TypeVar("T")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def from_micros(micros: int) -> datetime:
    """The time that lies so many microseconds after the beginning of 1970."""
    return _EPOCH + timedelta(microseconds=micros)


def scoped(scope: Scope) -> dict[str, Any]:
    """The parameters that every query of a scope has."""
    return {"workspace": scope.workspace, "audiences": list(dict.fromkeys(scope.audiences))}


def bounds(within: TimeRange) -> dict[str, datetime]:
    """`since` and `until` as parameters, an open end as the end of time."""
    return {"since": within.since or EARLIEST, "until": within.until or LATEST}


def page_params(spec: PageSpec) -> dict[str, Any]:
    """Where a page begins and ends; one row more shows whether there is more."""
    params: dict[str, Any] = {
        "after_rank": spec.rank,
        "after_key": spec.key,
        "limit": spec.first + 1,
    }
    if isinstance(spec, MessagePageSpec):
        params |= {"newest": spec.newest, **bounds(spec.within)}
    return params


def page(
    spec: PageSpec,
    items: Iterable[Sequence[Any]],
    make: Callable[[Any], T],
    key: Callable[[T], str],
    total: int | None = None,
) -> Page[T]:
    """A page of the rows [rank, *rest]; `make` gets the rest."""
    rows = []
    for rank, *rest in items:
        row = make(rest)
        rows.append(Ranked(rank, key(row), row))
    return Page(tuple(rows[: spec.first]), len(rows) > spec.first, total)


def channel_facts(row: Sequence[Any]) -> ChannelFacts:
    """A `ChannelFacts`."""
    node, size, first, last = row
    return ChannelFacts(
        node["key"],
        node["source_id"],
        node["name"],
        ChannelKind(node["kind"]),
        node["audience"],
        node.get("purpose") or "",
        node.get("topic") or "",
        bool(node.get("archived")),
        size,
        maybe_utc(first),
        maybe_utc(last),
    )


def actor_facts(row: Sequence[Any]) -> ActorFacts:
    """An `ActorFacts`."""
    node, size, first, last = row
    return ActorFacts(
        node["key"],
        node["source_id"],
        node["name"],
        node.get("real_name") or "",
        node.get("title") or "",
        tuple(node.get("aliases") or ()),
        bool(node.get("is_bot")),
        bool(node.get("is_deleted")),
        size,
        maybe_utc(first),
        maybe_utc(last),
    )


def artifact_facts(row: Sequence[Any]) -> ArtifactFacts:
    """An `ArtifactFacts`; no alias twice."""
    key, kind, identifier, name, aliases, size, first, last = row
    others = tuple(dict.fromkeys(alias for alias in aliases if alias != name))
    return ArtifactFacts(
        key, kind, identifier, name, others, size, maybe_utc(first), maybe_utc(last)
    )


def tree_facts(row: Mapping[str, Any]) -> TreeFacts:
    """A `TreeFacts`."""
    return TreeFacts(
        row["key"],
        View(row["view"]),
        row["subject"],
        row["audience"],
        row["name"],
        tuple(row["aliases"] or ()),
        row["size"] or 0,
        maybe_utc(row["span_from"]),
        maybe_utc(row["span_to"]),
        {name: tuple(lines) for name in CARD_FIELDS if (lines := row[f"card_{name}"])},
        row["root"],
    )


def node_facts(row: Sequence[Any]) -> NodeFacts:
    """A `NodeFacts`."""
    key, tree, view, audience, level, size, first, last, caption, summary, parent = row
    return NodeFacts(
        key,
        tree,
        View(view),
        audience,
        level,
        size,
        utc(first),
        utc(last),
        caption or "",
        summary or "",
        parent,
    )


def message_facts(row: Sequence[Any]) -> MessageFacts:
    """A `MessageFacts`."""
    (
        key, channel, audience, author, author_name, channel_name, source_id, source_ts, at, text,
        raw, thread, reply_to, revision, identifiers, files, link,
    ) = row  # fmt: skip
    return MessageFacts(
        key, channel, audience, author, author_name or "", channel_name or "", source_id,
        source_ts, utc(at), text, text if raw is None else raw, thread, reply_to, revision,
        tuple(identifiers or ()), tuple(files or ()), link or "",
    )  # fmt: skip


def maybe_utc(at: Any) -> datetime | None:
    """A time in UTC, or None."""
    return None if at is None else utc(at)
