"""From packed rows of the search queries to typed records."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, cast

from neo4j.time import DateTime as Neo4jDateTime

from .keys import tree_of_node, view_of_node
from .records import View
from .search_records import (
    AncestorHit,
    LeafMessage,
    MessageHit,
    MessageText,
    NodeHit,
    TreeHit,
)

VIEWS = {view.value: view for view in View}
"""Views by name: looked up, because calling the enumeration takes ten times as long."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=1 << 15)
def place_of(node: str) -> tuple[View, str]:
    """The view and the tree of a forest node, read off its key.

    Thousands are asked for with each question, most of them with the next one again.
    """
    return VIEWS[view_of_node(node)], tree_of_node(node)


def whole(hits: Iterable[list[Any]], keys: Iterable[int] = (0,)) -> list[list[Any]]:
    """Those of `hits` that have all their keys, which stand at the places `keys`.

    A reader sees what was committed last: a node that a builder deletes between the moment in
    which a query compares it and the one in which it reads the key has none any more.
    """
    places = tuple(keys)
    return [hit for hit in hits if all(hit[place] is not None for place in places)]


def tree_hit(hit: list[Any]) -> TreeHit:
    """A `TreeHit`."""
    key, view, subject, audience, name, aliases, size, score = hit
    return TreeHit(
        key, VIEWS[view], subject, audience, name, tuple(aliases or ()), size or 0, float(score)
    )


def message_hit(hit: list[Any]) -> MessageHit:
    """A `MessageHit`."""
    key, score, episode, author, stamp, leaves = hit
    placed = [leaf for leaf in (episode, *leaves) if leaf]
    return MessageHit(key, score, episode or "", author, stamp, placed)


def leaf_message(hit: list[Any]) -> LeafMessage:
    """A `LeafMessage`."""
    key, leaf, below, position, stamp, author, terms = hit
    return LeafMessage(key, leaf, below, position, stamp, author, terms or "")


def node_hit(hit: list[Any]) -> NodeHit:
    """A `NodeHit`."""
    key, level, stamp_from, stamp_to, score = hit
    view, tree = place_of(key)
    return NodeHit(key, tree, view, level, stamp_from, stamp_to, score)


def ancestor_hit(hit: list[Any]) -> AncestorHit:
    """An `AncestorHit`."""
    leaf, key, level, name, caption, summary, since, until = hit
    view, tree = place_of(key)
    return AncestorHit(
        leaf,
        key,
        level,
        tree,
        view,
        name,
        caption or "",
        summary or "",
        _moment(milliseconds=since),
        _moment(milliseconds=until),
    )


def message_text(hit: list[Any]) -> MessageText:
    """A `MessageText`."""
    return MessageText(
        key=hit[0],
        text=hit[1],
        at=_moment(seconds=hit[2], microseconds=hit[3] // 1000),
        source_id=hit[4],
        source_ts=hit[5],
        channel=hit[6],
        channel_name=hit[7] or "",
        audience=hit[8],
        author=hit[9],
        author_name=hit[10] or "",
        author_title=hit[11] or "",
        link=hit[12] or "",
        files=tuple(hit[13] or ()),
        thread=hit[14],
        revision=hit[15] or "",
    )


def _moment(**since: int) -> datetime:
    """The time so long after the beginning of 1970."""
    return _EPOCH + timedelta(**since)


def utc(at: Any) -> datetime:
    """A time of the driver or of Python in UTC."""
    native = at.to_native() if isinstance(at, Neo4jDateTime) else at
    return cast("datetime", native).astimezone(UTC)
