"""From packed rows of the search queries to typed records."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

from neo4j.time import DateTime as Neo4jDateTime

from .records import View
from .search_records import LeafMessage, MessageHit, MessageText, NodeHit, TreeHit


def tree_hit(hit: list[Any]) -> TreeHit:
    """A `TreeHit`."""
    key, view, subject, audience, name, aliases, size, score = hit
    return TreeHit(
        key, View(view), subject, audience, name, tuple(aliases or ()), size or 0, float(score)
    )


def message_hit(hit: list[Any]) -> MessageHit:
    """A `MessageHit`."""
    key, score, episode, author, stamp, leaves = hit
    placed = tuple((leaf, View(view), tree) for leaf, view, tree in leaves)
    return MessageHit(key, float(score), episode or "", author, stamp, placed)


def leaf_message(hit: list[Any]) -> LeafMessage:
    """A `LeafMessage`."""
    key, leaf, below, position, stamp, author, terms = hit
    return LeafMessage(key, leaf, below, position, stamp, author, terms or "")


def node_hit(hit: list[Any]) -> NodeHit:
    """A `NodeHit`."""
    key, tree, view, level, size, stamp_from, stamp_to, score = hit
    return NodeHit(key, tree, View(view), level, size, stamp_from, stamp_to, float(score))


def message_text(hit: list[Any]) -> MessageText:
    """A `MessageText`."""
    return MessageText(
        key=hit[0],
        text=hit[1],
        at=utc(hit[2]),
        source_id=hit[3],
        source_ts=hit[4],
        channel=hit[5],
        channel_name=hit[6] or "",
        audience=hit[7],
        author=hit[8],
        author_name=hit[9] or "",
        author_title=hit[10] or "",
        link=hit[11] or "",
        files=tuple(hit[12] or ()),
        thread=hit[13],
        revision=hit[14] or "",
    )


def utc(at: Any) -> datetime:
    """A time of the driver or of Python in UTC."""
    native = at.to_native() if isinstance(at, Neo4jDateTime) else at
    return cast("datetime", native).astimezone(UTC)
