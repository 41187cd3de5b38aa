"""What there is: subjects, messages, trees. Attributes are those of docs/schema.graphql."""

from __future__ import annotations

from datetime import datetime

from pydantic import AliasPath, Field

from .base_models import Period, Result
from .enums import BridgeKind, ChannelKind, RevisionKind, View


class Subject(Result):
    """What a tree may be about, by its key.

    Attributes:
        type: `Channel`, `Actor` or `Artifact`.
        id: its key in the graph.
        name: what it is called.
    """

    type: str = Field(alias="__typename")
    id: str
    name: str


class Channel(Result):
    """A channel or conversation.

    Attributes:
        id: its key in the graph.
        size: messages that its trees hold.
        audience: `public`, or the id of a private place.
    """

    id: str
    name: str
    size: int
    period: Period | None = None
    source_id: str
    kind: ChannelKind
    audience: str
    purpose: str
    topic: str
    archived: bool


class Actor(Result):
    """A person or a bot; `size` counts what they said and what was said to them."""

    id: str
    name: str
    size: int
    period: Period | None = None
    source_id: str
    real_name: str
    title: str
    aliases: tuple[str, ...]
    is_bot: bool
    left: bool


class Artifact(Result):
    """A deliverable with a life: pull request, ticket, document, release, incident."""

    id: str
    name: str
    size: int
    period: Period | None = None
    kind: str
    identifier: str
    aliases: tuple[str, ...]


class Workspace(Result):
    """The workspace that the token opens, as far as the asker may see it.

    Attributes:
        asker: through whose eyes it is read; None reads what is public.
    """

    id: str
    name: str
    size: int
    period: Period | None = None
    channel_count: int
    actor_count: int
    artifact_count: int
    asker: Actor | None = None


class Message(Result):
    """A message, verbatim.

    Attributes:
        id: its key in the graph, as `client.message` takes it.
        text: as a person reads it, never cut.
        at: when it was posted, UTC.
        source_id: its id in the chat that it comes from.
        audience: `public`, or the id of a private place.
        link: its address in the source.
        files: a line for each.
        identifiers: what it names, as `kind:value`.
    """

    id: str
    text: str
    at: datetime
    source_id: str
    audience: str
    channel_name: str
    author_name: str
    link: str | None = None
    files: tuple[str, ...]
    identifiers: tuple[str, ...]
    edited: bool


class SearchHit(Result):
    """A message that a search found, and how well it fits, from 0 to 1."""

    score: float
    message: Message = Field(alias="node")


class Revision(Result):
    """One entry of a message's history; `text` is None where it was deleted."""

    key: str
    kind: RevisionKind
    current: bool
    text: str | None = None


class Thread(Result):
    """The thread of a message; `client.messages.in_thread` lists its messages."""

    key: str
    reply_count: int
    last_reply_at: datetime


class Placement(Result):
    """Where a message stands in a tree.

    Attributes:
        position: its place in the episode, from 0.
        node: key of the episode.
        caption: its label.
        tree: key of the tree.
        subject: what the tree is about.
    """

    view: View
    position: int
    node: str | None = Field(None, validation_alias=AliasPath("node", "id"))
    caption: str | None = Field(None, validation_alias=AliasPath("node", "caption"))
    tree: str | None = Field(None, validation_alias=AliasPath("tree", "id"))
    subject: Subject | None = Field(None, validation_alias=AliasPath("tree", "subject"))


class Bridge(Result):
    """What connects a message with another one; `to_earlier` says on which side that is."""

    kind: BridgeKind
    identifier: str | None = None
    to_earlier: bool
    message: Message | None = None


class MessageDetails(Message):
    """A message with all that hangs on it.

    Attributes:
        source_text: as the source wrote it.
        replies: the first hundred, in order of time; `more_replies` says whether there are more.
        revisions, placements, bridges, mentions: the first fifty.
    """

    source_text: str
    channel: Channel | None = None
    author: Actor | None = None
    reply_to: Message | None = None
    thread: Thread | None = None
    replies: tuple[Message, ...] = Field(validation_alias=AliasPath("replies", "nodes"))
    more_replies: bool = Field(validation_alias=AliasPath("replies", "pageInfo", "hasNextPage"))
    revisions: tuple[Revision, ...]
    placements: tuple[Placement, ...]
    bridges: tuple[Bridge, ...]
    mentions: tuple[Subject, ...]


class ForestNode(Result):
    """A stretch of messages of a tree with its summary.

    Attributes:
        level: 1 for an episode, whose messages `client.messages.of` lists; more above.
        size: messages below it.
        summary: what they say. Never evidence: they are.
    """

    id: str
    view: View
    audience: str
    level: int
    size: int
    period: Period
    caption: str
    summary: str


class ForestNodeDetails(ForestNode):
    """A forest node with what is around it.

    Attributes:
        tree: key of its tree.
        subject: what the tree is about.
        ancestors: the nodes above, the root first.
        children: the first hundred right below; `more_children` says whether there are more.
    """

    tree: str | None = Field(None, validation_alias=AliasPath("tree", "id"))
    subject: Subject | None = Field(None, validation_alias=AliasPath("tree", "subject"))
    ancestors: tuple[ForestNode, ...]
    children: tuple[ForestNode, ...] = Field(validation_alias=AliasPath("children", "nodes"))
    more_children: bool = Field(validation_alias=AliasPath("children", "pageInfo", "hasNextPage"))


class CardField(Result):
    """One field of a tree's card, such as `purpose` or `decisions`."""

    name: str
    lines: tuple[str, ...]


class Tree(Result):
    """One subject, seen in one forest, for one audience.

    Attributes:
        card: what is known of the subject, as far as its messages support it.
        root: the node at the top; None while the tree is being built.
    """

    id: str
    view: View
    audience: str
    name: str
    aliases: tuple[str, ...]
    size: int
    period: Period | None = None
    card: tuple[CardField, ...]
    subject: Subject | None = None
    root: ForestNode | None = None


class Coverage(Result):
    """What the log holds of one channel."""

    messages: int
    period: Period | None = None
    channel: Channel | None = None


class TimeBucket(Result):
    """How many messages were posted from `start` to before `end`."""

    start: datetime
    end: datetime
    messages: int


class ChannelActivity(Result):
    """A channel with the number of its messages."""

    messages: int
    channel: Channel | None = None


class ActorActivity(Result):
    """A person or bot with the number of their messages."""

    messages: int
    actor: Actor | None = None


class ArtifactActivity(Result):
    """An artifact with the number of messages about it."""

    messages: int
    artifact: Artifact | None = None


class Statistics(Result):
    """Counts of the messages that the asker may see."""

    messages: int
    period: Period | None = None
    channel_count: int
    actor_count: int
    messages_over_time: tuple[TimeBucket, ...]
    most_active_channels: tuple[ChannelActivity, ...]
    most_active_actors: tuple[ActorActivity, ...]
    most_active_artifacts: tuple[ArtifactActivity, ...]
