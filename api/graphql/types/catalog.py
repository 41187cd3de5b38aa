"""Channels, actors and artifacts."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import strawberry

from ....graph.read_records import (
    ActorFacts,
    ArtifactFacts,
    ChannelFacts,
    CoverageFacts,
    MessagePageSpec,
    WorkspaceFacts,
)
from ..context import Info
from .describing import described
from .enums import ChannelKindName
from .subject import Node, Period, Subject, period

if TYPE_CHECKING:
    from ....graph.read_records import MessageFacts, Page


@strawberry.type(description="A channel or conversation that the asker may read.")
class Channel(Subject):
    """A channel or conversation."""

    source_id: str = described("Its id in the chat it comes from.")
    kind: ChannelKindName = described("What sort of place it is.")
    audience: str = described("Who may see it: `public`, or the id of a private place.")
    purpose: str = described("What it is for, as its members put it; may be empty.")
    topic: str = described("Its topic, as its members put it; may be empty.")
    archived: bool = described("Whether it was archived.")

    @strawberry.field(description="What the log holds of it, counted message by message.")
    async def coverage(self, info: Info) -> Coverage:
        """What the log holds of it."""
        found = await info.context.loaders.coverage.load(str(self.id))
        return Coverage.of(found or CoverageFacts(str(self.id), None, None, 0))

    async def _messages(self, info: Info, spec: MessagePageSpec) -> Page[MessageFacts]:
        return await info.context.loaders.channel_messages.load((str(self.id), spec))

    @classmethod
    def of(cls, facts: ChannelFacts) -> Channel:
        """The type of a record."""
        return cls(
            id=strawberry.ID(facts.key),
            name=facts.name,
            size=facts.size,
            period=period(facts.first, facts.last),
            source_id=facts.source_id,
            kind=ChannelKindName(facts.kind),
            audience=facts.audience,
            purpose=facts.purpose,
            topic=facts.topic,
            archived=facts.archived,
        )


@strawberry.type(
    description="A person or a bot of whom the asker may read something. `size` counts what they "
    "said and what was said to them; `messages` are those that they wrote."
)
class Actor(Subject):
    """A person or a bot."""

    source_id: str = described("Their id in the chat they come from.")
    real_name: str = described("Their full name; may be empty.")
    title: str = described("What they do; may be empty.")
    aliases: list[str] = described("Other names they go or went by.")
    is_bot: bool = described("Whether it is a bot.")
    left: bool = described("Whether they left the workspace.")

    async def _messages(self, info: Info, spec: MessagePageSpec) -> Page[MessageFacts]:
        return await info.context.loaders.actor_messages.load((str(self.id), spec))

    @classmethod
    def of(cls, facts: ActorFacts) -> Actor:
        """The type of a record."""
        return cls(
            id=strawberry.ID(facts.key),
            name=facts.name,
            size=facts.size,
            period=period(facts.first, facts.last),
            source_id=facts.source_id,
            real_name=facts.real_name,
            title=facts.title,
            aliases=list(facts.aliases),
            is_bot=facts.is_bot,
            left=facts.left,
        )


@strawberry.type(
    description="A deliverable with a life: pull request, ticket, document, file, release, "
    "incident or project. Its name and aliases are those that the asker may see."
)
class Artifact(Subject):
    """A deliverable with a life."""

    kind: str = described("What it is, such as `pull_request`, `ticket` or `document`.")
    identifier: str = described("What identifies it among its kind, normalised.")
    aliases: list[str] = described("Its titles and other names, as they were written.")

    async def _messages(self, info: Info, spec: MessagePageSpec) -> Page[MessageFacts]:
        return await info.context.loaders.artifact_messages.load((str(self.id), spec))

    @classmethod
    def of(cls, facts: ArtifactFacts) -> Artifact:
        """The type of a record."""
        return cls(
            id=strawberry.ID(facts.key),
            name=facts.name,
            size=facts.size,
            period=period(facts.first, facts.last),
            kind=facts.kind,
            identifier=facts.identifier,
            aliases=list(facts.aliases),
        )


@strawberry.type(description="What the log holds of one channel, by messages that are current.")
class Coverage:
    """What the log holds of one channel."""

    key: strawberry.Private[str]
    period: Period | None = described("From the first message to the last; null if there is none.")
    messages: int = described("How many messages there are.")

    @strawberry.field(description="The channel.")
    async def channel(self, info: Info) -> Channel | None:
        """The channel."""
        found = await info.context.loaders.channel.load(self.key)
        return None if found is None else Channel.of(found)

    @classmethod
    def of(cls, facts: CoverageFacts) -> Coverage:
        """The type of a record."""
        return cls(
            key=facts.channel, period=period(facts.first, facts.last), messages=facts.messages
        )


@strawberry.type(
    description="The one workspace that the token opens, as far as the asker may see it."
)
class Workspace(Node):
    """The one workspace that the token opens."""

    name: str = described("Its name.")
    created_at: datetime | None = described("When its first export was read.")
    size: int = described("How many messages are visible.")
    period: Period | None = described("When they were posted; null if there are none.")
    channel_count: int = described("How many channels and conversations are visible.")
    actor_count: int = described("How many people and bots are.")
    artifact_count: int = described("How many artifacts are.")

    @strawberry.field(
        description="Through whose eyes the token reads; null if it reads what is public."
    )
    async def asker(self, info: Info) -> Actor | None:
        """Through whose eyes the token reads."""
        key = info.context.scope.actor
        found = None if key is None else await info.context.loaders.actor.load(key)
        return None if found is None else Actor.of(found)

    @classmethod
    def of(cls, facts: WorkspaceFacts) -> Workspace:
        """The type of a record."""
        return cls(
            id=strawberry.ID(facts.name),
            name=facts.name,
            created_at=facts.created_at,
            size=facts.messages,
            period=period(facts.first, facts.last),
            channel_count=facts.channels,
            actor_count=facts.actors,
            artifact_count=facts.artifacts,
        )


SUBJECTS: tuple[type[Subject], ...] = (Channel, Actor, Artifact)


async def subject_of(info: Info, key: str) -> Subject | None:
    """The channel, actor or artifact with the key `key`, if it is visible."""
    loaders = info.context.loaders
    match key.split("/", 2)[1:2]:
        case ["c"]:
            channel = await loaders.channel.load(key)
            return None if channel is None else Channel.of(channel)
        case ["a"]:
            actor = await loaders.actor.load(key)
            return None if actor is None else Actor.of(actor)
        case ["x"]:
            artifact = await loaders.artifact.load(key)
            return None if artifact is None else Artifact.of(artifact)
    return None
