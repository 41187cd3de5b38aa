"""What the searches of `graph.search` hand out: small typed rows, no text unless asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from .lucene import TermWeight
from .records import View

ALL_VIEWS: tuple[View, ...] = tuple(View)


@dataclass(frozen=True, slots=True)
class TimeRange:
    """From `since` (included) to `until` (not included), both in UTC; None leaves an end open."""

    since: datetime | None = None
    until: datetime | None = None

    def __post_init__(self) -> None:
        for at in (self.since, self.until):
            if at is not None and at.tzinfo is None:
                raise ValueError("A time without a zone cannot be placed; give it in UTC.")

    @property
    def empty(self) -> bool:
        """Whether no moment lies in it."""
        return self.since is not None and self.until is not None and self.since >= self.until


ALWAYS = TimeRange()


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSearch:
    """One full-text search of messages or nodes.

    Attributes:
        terms: what is searched for, the most important first.
        fields: the fields searched and their boosts.
        limit: most hits.
        within: only messages then, or nodes whose span overlaps it.
        all_of: terms that must all be among a message's own; not for nodes.
        views: the forests searched; not for messages.
        headed: if given, terms of which one must be in a node's header; not for messages.
    """

    terms: Sequence[TermWeight]
    fields: Mapping[str, float]
    limit: int
    within: TimeRange = ALWAYS
    all_of: Sequence[str] = ()
    views: Sequence[View] = ALL_VIEWS
    headed: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Opening:
    """Nodes whose messages are read.

    Attributes:
        nodes: their keys.
        leaves: at most so many leaves below each, the earliest.
        terms: whether the messages' terms are needed: they are most of what is sent.
    """

    nodes: Sequence[str]
    leaves: int = 1
    terms: bool = False


@dataclass(frozen=True, slots=True)
class Overview:
    """How much an asker may see.

    Attributes:
        latest: time of the latest message, None if there is none.
        days: from the earliest message to the latest.
        messages: how many there are.
        channels: how many channels they are in.
    """

    latest: datetime | None
    days: float
    messages: int
    channels: int


@dataclass(frozen=True, slots=True)
class TreeHit:
    """A tree found by the words of its name, its aliases or its card.

    Attributes:
        key: the tree.
        view: its forest.
        subject: key of the channel, actor or artifact it is about.
        audience: who may see it.
        name: what the subject is called.
        aliases: its other names, titles and identifiers, as written.
        size: number of messages in the tree.
        score: Lucene's, comparable within this one search only.
    """

    key: str
    view: View
    subject: str
    audience: str
    name: str
    aliases: tuple[str, ...]
    size: int
    score: float


# The three that come by hundreds are named tuples: they take a third of the time to make.


class MessageHit(NamedTuple):
    """A message found by its words or its vector.

    Attributes:
        key: the message.
        score: comparable within this one search only.
        episode: its leaf in the channel's tree.
        author: key of the author.
        stamp: UTC time as digits that sort.
        leaves: where it is placed, the episode first; `keys` tells the view and tree of each.
    """

    key: str
    score: float
    episode: str
    author: str
    stamp: str
    leaves: Sequence[str]


class NodeHit(NamedTuple):
    """A forest node found by its words or its vector.

    Attributes:
        key: the node.
        tree: its tree.
        view: its forest.
        level: 1 for an episode.
        stamp_from: UTC time of the earliest message below, as digits that sort.
        stamp_to: of the latest.
        score: comparable within this one search only.
    """

    key: str
    tree: str
    view: View
    level: int
    stamp_from: str
    stamp_to: str
    score: float


@dataclass(frozen=True, slots=True)
class PlacementHit:
    """One entry of the Placement Map: `message` stands at `position` of the leaf `node`."""

    message: str
    node: str
    tree: str
    view: View
    position: int


class LeafMessage(NamedTuple):
    """A message as it stands in a leaf, without its text.

    Attributes:
        key: the message.
        leaf: the level-1 node it stands in.
        below: what was asked for: the leaf itself, an ancestor of it, or its tree.
        position: in the leaf, from 0.
        stamp: UTC time as digits that sort.
        author: key of the author.
        terms: its analysed terms, empty where they were not asked for.
    """

    key: str
    leaf: str
    below: str
    position: int
    stamp: str
    author: str
    terms: str


@dataclass(frozen=True, slots=True)
class HopHit:
    """A bridge crossed: from `source`, which was asked for, to its neighbour `target`.

    Attributes:
        kind: REPLIES_TO or SAME_IDENTIFIER.
        identifier: what both name; empty for a reply.
        episode: the target's leaf in its channel's tree.
    """

    source: str
    target: str
    kind: str
    identifier: str
    episode: str


@dataclass(frozen=True, slots=True)
class JoinHit:
    """A message placed in trees of two subjects: `first` and `second` are the leaves."""

    message: str
    first: str
    second: str
    episode: str


@dataclass(frozen=True, slots=True)
class AncestorHit:
    """A node on the way from a leaf to its root, with what it says.

    Attributes:
        leaf: the leaf that was asked for.
        key: the node; the leaf itself comes with `level` 1.
        level: its level.
        tree: its tree.
        view: its forest.
        name: what the tree's subject is called.
        caption: the node's short label.
        summary: its summary.
        span_from: time of the earliest message below.
        span_to: of the latest.
    """

    leaf: str
    key: str
    level: int
    tree: str
    view: View
    name: str
    caption: str
    summary: str
    span_from: datetime
    span_to: datetime


@dataclass(frozen=True, slots=True)
class MessageText:
    """A message verbatim, with all that a citation names."""

    key: str
    text: str
    at: datetime
    source_id: str
    source_ts: str
    channel: str
    channel_name: str
    audience: str
    author: str
    author_name: str
    author_title: str
    link: str
    files: tuple[str, ...]
    thread: str | None
    revision: str
