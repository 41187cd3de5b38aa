"""What the reads for dashboards hand out: typed records, each within the scope it was read in.

All times are UTC. Sizes and periods of channels, actors and artifacts are sums over the trees that
the asker may see; they follow the log once its forests are built.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from .records import BridgeKind, ChannelKind, View
from .search_records import ALWAYS, TimeRange

T = TypeVar("T")

Rank = int | str
"""What a page is sorted by, before the key: microseconds, a negated size, or a name."""


class SubjectOrder(StrEnum):
    """How lists of channels, actors and artifacts are sorted; equal ones by key."""

    NAME = "name"
    SIZE = "size"
    LAST = "last"


class Bucket(StrEnum):
    """Widths of the buckets of a statistic; a week begins on Monday."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class RevisionKind(StrEnum):
    """What one entry of a message's history is."""

    POSTED = "posted"
    EDITED = "edited"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class PageSpec:
    """Which rows of a sorted list: the `first` ones behind (`rank`, `key`).

    Rows that arrive meanwhile are neither a reason to repeat one nor to leave one out. A row whose
    rank changes moves.
    """

    first: int
    rank: Rank | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class MessagePageSpec(PageSpec):
    """A page of messages by (time, key).

    Attributes:
        newest: the newest first.
        within: only messages of this time.
    """

    newest: bool = False
    within: TimeRange = ALWAYS


@dataclass(frozen=True, slots=True)
class SubjectFilter:
    """Which channels, actors or artifacts.

    Attributes:
        starts: what a name, alias or identifier begins with; case does not matter.
        kinds: kinds of channels or artifacts; None for all. Actors have none.
        active_since: only those with a visible message since then.
    """

    starts: str = ""
    kinds: tuple[str, ...] | None = None
    active_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Ranked(Generic[T]):
    """A row with its place in the order of its list."""

    rank: Rank
    key: str
    row: T


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some rows of a list.

    Attributes:
        rows: in order.
        more: whether there are further rows behind them.
        total: how many rows the list has in all, None where counting would mean reading it.
    """

    rows: tuple[Ranked[T], ...] = ()
    more: bool = False
    total: int | None = None


@dataclass(frozen=True, slots=True)
class WorkspaceFacts:
    """How much of a workspace is visible."""

    name: str
    created_at: datetime | None
    first: datetime | None
    last: datetime | None
    messages: int
    channels: int
    actors: int
    artifacts: int


@dataclass(frozen=True, slots=True)
class ChannelFacts:
    """A visible channel."""

    key: str
    source_id: str
    name: str
    kind: ChannelKind
    audience: str
    purpose: str
    topic: str
    archived: bool
    size: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class ActorFacts:
    """A visible actor."""

    key: str
    source_id: str
    name: str
    real_name: str
    title: str
    aliases: tuple[str, ...]
    is_bot: bool
    left: bool
    size: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class ArtifactFacts:
    """A visible artifact, called what it is called where the asker may look."""

    key: str
    kind: str
    identifier: str
    name: str
    aliases: tuple[str, ...]
    size: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class TreeFacts:
    """A tree with its root card: field name to its lines, in the order of the card."""

    key: str
    view: View
    subject: str
    audience: str
    name: str
    aliases: tuple[str, ...]
    size: int
    first: datetime | None
    last: datetime | None
    card: Mapping[str, tuple[str, ...]]
    root: str | None


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """A forest node; `parent` is None for a root."""

    key: str
    tree: str
    view: View
    audience: str
    level: int
    size: int
    first: datetime
    last: datetime
    caption: str
    summary: str
    parent: str | None


@dataclass(frozen=True, slots=True)
class MessageFacts:
    """A message verbatim. `raw` is what the source wrote, where that reads otherwise."""

    key: str
    channel: str
    audience: str
    author: str
    author_name: str
    channel_name: str
    source_id: str
    source_ts: str
    at: datetime
    text: str = field(repr=False)
    raw: str = field(repr=False)
    thread: str | None
    reply_to: str | None
    revision: str
    identifiers: tuple[str, ...]
    files: tuple[str, ...]
    link: str


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    """A thread.

    Attributes:
        key: that its root has, or had as first posted.
        channel: its channel.
        source_id: id of the root in the source.
        root: key of the current entry of the root; None if it was deleted or never logged.
        replies: number of visible messages besides the root.
        last: time of the last reply.
    """

    key: str
    channel: str
    source_id: str
    root: str | None
    replies: int
    last: datetime


@dataclass(frozen=True, slots=True)
class RevisionFacts:
    """One entry of a message's history; `text` is None if it was deleted."""

    key: str
    revision: str
    kind: RevisionKind
    current: bool
    text: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlacementFacts:
    """One entry of the Placement Map; `message` stands at `position` of the leaf `node`."""

    message: str
    node: str
    tree: str
    view: View
    position: int


@dataclass(frozen=True, slots=True)
class PlacedMessage:
    """A message below a forest node, and where it stands."""

    message: MessageFacts
    placement: PlacementFacts


@dataclass(frozen=True, slots=True)
class BridgeFacts:
    """A bridge of a message; `leads` if it goes from the message to the earlier `other`."""

    kind: BridgeKind
    identifier: str
    leads: bool
    other: str


@dataclass(frozen=True, slots=True)
class CoverageFacts:
    """What the log holds of a channel, by visible messages."""

    channel: str
    first: datetime | None
    last: datetime | None
    messages: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Which messages a statistic counts.

    Attributes:
        within: time.
        channel: key of the only channel; author: key of the only author.
    """

    within: TimeRange = ALWAYS
    channel: str | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """Numbers of a selection of messages."""

    messages: int
    first: datetime | None
    last: datetime | None
    channels: int
    actors: int


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Which messages a search may find; None leaves a condition out."""

    view: View | None = None
    channels: tuple[str, ...] | None = None
    authors: tuple[str, ...] | None = None
    within: TimeRange = ALWAYS
