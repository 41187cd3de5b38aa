"""Typed records that go into and come out of the graph. No database here.

All times are aware datetimes in UTC. Keys come from `graph.keys`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

PUBLIC_AUDIENCE = "public"


class View(StrEnum):
    """One forest each: where, who, and what about."""

    CHANNEL = "channel"
    ACTOR = "actor"
    ARTIFACT = "artifact"


class ChannelKind(StrEnum):
    """What sort of place a channel is; everything but `PUBLIC` is its own audience."""

    PUBLIC = "public"
    PRIVATE = "private"
    DIRECT = "direct"
    GROUP_DIRECT = "group_direct"


class MessageKind(StrEnum):
    """`HOUSEKEEPING` (joins, topic changes) and `TOMBSTONE` (deleted) stay out of the trees."""

    MESSAGE = "message"
    HOUSEKEEPING = "housekeeping"
    TOMBSTONE = "tombstone"


@dataclass(frozen=True, slots=True)
class Scope:
    """What one asker may see: the predicate that every search and traversal carries.

    Attributes:
        workspace: the tenant.
        audiences: ids of the visible audiences, `public` among them.
        actor: key of the asker, None for nobody in particular.
    """

    workspace: str
    audiences: tuple[str, ...]
    actor: str | None = None

    def __post_init__(self) -> None:
        if not self.workspace or not self.audiences:
            raise ValueError("A scope needs a workspace and at least one audience.")


@dataclass(frozen=True, slots=True)
class ActorRecord:
    """A person, a bot, or the placeholder of an author that the export does not describe."""

    key: str
    workspace: str
    source_id: str
    name: str
    real_name: str = ""
    title: str = ""
    aliases: tuple[str, ...] = ()
    is_bot: bool = False
    deleted: bool = False
    placeholder: bool = False


@dataclass(frozen=True, slots=True)
class ChannelRecord:
    """A channel or conversation; `audience` is `public` or the channel's own id.

    `members_listed`: the source gave a list of members, be it an empty one.
    """

    key: str
    workspace: str
    source_id: str
    name: str
    kind: ChannelKind
    audience: str
    purpose: str = ""
    topic: str = ""
    members: tuple[str, ...] = ()
    archived: bool = False
    placeholder: bool = False
    members_listed: bool = False


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """One entry of the log. Never changed once logged, but for `live` and derived fields.

    Attributes:
        source_id: id of the message in its source; with the channel and `revision` the
            natural key.
        source_ts: the time as the source wrote it.
        at: time of posting, UTC. All revisions of a message keep it.
        text: as a person reads it.
        raw: as the source wrote it.
        revision: empty for the entry as first posted, else an id that sorts by time.
        thread: source id of the thread's root message, None outside a thread.
        reply_to: source id of the message replied to, in the same channel.
        mentions: keys of the actors that the text addresses.
        channel_mentions: keys of the channels that the text names.
        identifiers: normalised identifiers named by the text, "kind:value".
        identifier_titles: parallel to `identifiers`: the title it was given, or "".
        files: one line of metadata per file or attachment: title and text preview.
        link: address of the message in its source, or "".
    """

    key: str
    workspace: str
    channel: str
    audience: str
    source_id: str
    source_ts: str
    at: datetime
    author: str
    text: str
    raw: str
    kind: MessageKind = MessageKind.MESSAGE
    revision: str = ""
    thread: str | None = None
    reply_to: str | None = None
    mentions: tuple[str, ...] = ()
    channel_mentions: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    identifier_titles: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    link: str = ""


class LogOutcome(StrEnum):
    """What became of one input of an ingest; a receipt counts them."""

    ADDED = "added"
    UNCHANGED = "unchanged"
    SUPERSEDED = "superseded"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class ArtifactRecord:
    """A deliverable. Titles and aliases belong to its trees, which have an audience."""

    key: str
    workspace: str
    kind: str
    identifier: str


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """A forest node as the builder plans it.

    Attributes:
        level: 1 for an episode, which holds messages; higher levels hold nodes.
        children: keys in order: of messages at level 1, of nodes above.
        span_from: time of the earliest message below; span_to: of the latest.
        size: number of messages below.
        caption: short label for a person.
        terms: analysed terms of the messages (level 1 only), white space between them.
        header_terms: analysed terms of channel, people and artifacts.
        summary_terms: analysed terms of the summary.
        digest: changes when anything below or on the node changes.
    """

    key: str
    level: int
    children: tuple[str, ...]
    span_from: datetime
    span_to: datetime
    size: int
    caption: str
    summary: str
    terms: str
    header_terms: str
    summary_terms: str
    digest: str


@dataclass(frozen=True, slots=True)
class TreeRecord:
    """A tree as the builder plans it: its card, and its nodes from the leaves to the root.

    Attributes:
        subject: key of the channel, actor or artifact.
        name: what the subject is called.
        aliases: other names, titles and identifiers of the subject, as written.
        alias_terms: their analysed terms, and those of `name`.
        card: view-specific fields of the root card, each a list of lines.
        card_text: the card as a person reads it.
        card_terms: its analysed terms.
        digest: changes when the card or any node changes.
    """

    key: str
    workspace: str
    view: View
    subject: str
    audience: str
    name: str
    aliases: tuple[str, ...]
    alias_terms: str
    card: dict[str, tuple[str, ...]]
    card_text: str
    card_terms: str
    digest: str
    nodes: tuple[NodeRecord, ...] = field(default=())

    @property
    def root(self) -> str:
        """Key of the root node: the last of `nodes`."""
        return self.nodes[-1].key


class BridgeKind(StrEnum):
    """Sparse edges between two different messages."""

    REPLIES_TO = "REPLIES_TO"
    SAME_IDENTIFIER = "SAME_IDENTIFIER"


@dataclass(frozen=True, slots=True)
class BridgeRecord:
    """From a later message to an earlier one."""

    source: str
    target: str
    kind: BridgeKind
    identifier: str = ""
