"""Records between the forest builder and the store: what is stored, and what is to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from .heads import ActorName, ChannelName, MessageHead, MessageText
from .records import TreeRecord, View

Sized = tuple[str, int]
"""Key of a subject, and about how many messages it has."""


@dataclass(frozen=True, slots=True)
class StoredTree:
    """What is stored of a tree: enough to tell what changed."""

    key: str
    subject: str
    digest: str | None
    root: str | None
    nodes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ChannelState:
    """A channel as the last build left it.

    Attributes:
        reading: digest of how its identifiers and project names were read; None if never built.
        built_name: what it was called then.
        counts: live messages for each identifier named in it.
        renames: encoded renames said in it.
    """

    name: ChannelName
    reading: str | None
    built_name: str | None
    counts: Mapping[str, int]
    renames: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChannelScan:
    """What the live messages of a channel name.

    Attributes:
        counts: messages for each identifier.
        said: key and text of messages in no tree yet that may state a rename.
        renames: those of the stored renames whose message is still live.
    """

    key: str
    counts: Mapping[str, int]
    said: tuple[tuple[str, str], ...]
    renames: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """The state of a workspace at the start of a round.

    Attributes:
        channels: all of them, by key.
        actors: all of them by key, or none if there are too many to hold.
        scans: of the channels asked for.
    """

    channels: dict[str, ChannelState]
    actors: dict[str, ActorName]
    scans: list[ChannelScan]


@dataclass(frozen=True, slots=True)
class ChannelMaterial:
    """Live messages by channel, the texts of those in no tree yet, and the stored trees."""

    heads: dict[str, list[MessageHead]]
    texts: dict[str, MessageText]
    stored: list[StoredTree]


@dataclass(frozen=True, slots=True)
class ArtifactMentions:
    """Keys of the messages that name an artifact, and the stored bridges between them."""

    key: str
    messages: tuple[str, ...]
    bridges: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PendingMessage:
    """A message of an episode in which some are to be encoded; `pending` says whether it is."""

    key: str
    author: str
    text: str
    source_id: str
    thread: str | None
    pending: bool


@dataclass(frozen=True, slots=True)
class PendingNode:
    """A node to encode."""

    key: str
    digest: str
    caption: str
    summary: str


@dataclass(frozen=True, slots=True)
class Naming:
    """That messages name an artifact, or no longer do."""

    key: str
    kind: str
    identifier: str
    messages: tuple[str, ...]


@dataclass(slots=True)
class TreeChange:
    """How a stored tree becomes the planned one.

    Attributes:
        tree: its properties; its `nodes` are those that changed, from the leaves to the root.
        root: key of the root, whether it changed or not.
        size: messages in the tree.
        gone: keys of stored nodes that it no longer has.
        contexts: (message, episode, terms of its neighbours) for a CHANNEL tree's changed leaves.
        new: whether the tree is not stored yet; new_root: whether it gets another root.
        known: keys of those of its changed nodes that are stored.
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

    new: bool = True
    new_root: bool = True
    known: frozenset[str] = frozenset()

    @property
    def weight(self) -> int:
        """About how many relationships and nodes it writes."""
        return (
            sum(len(node.children) + 2 for node in self.tree.nodes)
            + len(self.contexts)
            + len(self.gone)
            + 1
        )


@dataclass(slots=True)
class TreeBatch:
    """What a batch of subjects of one view comes to.

    Attributes:
        changes: trees to write; `gone`: trees to delete with their nodes.
        added, removed: which messages name which artifacts.
        new_bridges, gone_bridges: (identifier, later message, earlier message).
        finished: subjects that are up to date once all this is written, for CHANNEL with what
            their identifiers were read by.
    """

    view: View
    finished: Mapping[str, str]
    changes: Sequence[TreeChange] = ()
    gone: Sequence[StoredTree] = ()
    added: Sequence[Naming] = ()
    removed: Sequence[Naming] = ()
    new_bridges: Sequence[tuple[str, str, str]] = ()
    gone_bridges: Sequence[tuple[str, str, str]] = ()
