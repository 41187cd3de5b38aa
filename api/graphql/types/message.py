"""Messages, threads, revisions, bridges."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from ....graph.read_records import BridgeFacts, MessageFacts, RevisionFacts, ThreadFacts
from ....graph.records import BridgeKind, View
from ..context import Info
from ..inputs import DEFAULT_LIST, DEFAULT_PAGE, page_size
from .catalog import Actor, Channel, subject_of
from .describing import arg, described
from .enums import BridgeKindName, RevisionKindName, ViewName
from .forest import Placement
from .pages import After, Connection, First, connection, message_spec
from .subject import Node, Subject


@strawberry.type(description="One entry of a message's history.")
class Revision:
    """One entry of a message's history."""

    key: strawberry.ID = described("Key of the entry; the current one has that of the message.")
    kind: RevisionKindName = described("What it is.")
    current: bool = described("Whether it is the message as it stands.")
    text: str | None = described(
        "What it says; null for a deletion and for everything that was said before it."
    )

    @classmethod
    def of(cls, facts: RevisionFacts) -> Revision:
        """The type of a record."""
        return cls(
            key=strawberry.ID(facts.key),
            kind=RevisionKindName(facts.kind),
            current=facts.current,
            text=facts.text,
        )


@strawberry.type(
    description="A chat message, verbatim. It is there if the asker may see it and it was not "
    "deleted."
)
class Message(Node):
    """A chat message, verbatim."""

    channel_key: strawberry.Private[str]
    author_key: strawberry.Private[str]
    thread_id: strawberry.Private[str | None]
    text: str = described("As a person reads it, never cut.")
    source_text: str = described("As the source wrote it, with its marks for mentions and links.")
    at: datetime = described("When it was posted, UTC.")
    source_id: str = described("Its id in the source.")
    source_timestamp: str = described("Its time as the source wrote it.")
    audience: str = described("Who may see it: `public`, or the id of a private place.")
    channel_name: str = described("What its channel is called.")
    author_name: str = described("What its author is called.")
    link: str | None = described("Its address in the source, if it has one.")
    files: list[str] = described("A line for each file: its title and the beginning of its text.")
    identifiers: list[str] = described(
        "What it names, normalised, as `kind:value`: tickets, pull requests, versions, files."
    )
    edited: bool = described("Whether it was edited; see `revisions`.")

    @strawberry.field(description="The channel it was posted in.")
    async def channel(self, info: Info) -> Channel | None:
        """The channel it was posted in."""
        found = await info.context.loaders.channel.load(self.channel_key)
        return None if found is None else Channel.of(found)

    @strawberry.field(description="Who wrote it.")
    async def author(self, info: Info) -> Actor | None:
        """Who wrote it."""
        found = await info.context.loaders.actor.load(self.author_key)
        return None if found is None else Actor.of(found)

    @strawberry.field(description="The message it replies to.")
    async def reply_to(self, info: Info) -> Message | None:
        """The message it replies to."""
        found = await info.context.loaders.replied_to.load(str(self.id))
        return None if found is None else Message.of(found)

    @strawberry.field(description="The replies to it, in order of time.")
    async def replies(
        self, info: Info, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Message]:
        """The replies to it."""
        spec = message_spec("replies", first, after)
        page = await info.context.loaders.replies.load((str(self.id), spec))
        return connection("replies", spec, page, Message.of)

    @strawberry.field(description="The thread it belongs to; null outside of threads.")
    async def thread(self, info: Info) -> Thread | None:
        """The thread it belongs to."""
        key = (str(self.id), self.thread_id, self.source_id)
        found = await info.context.loaders.thread.load(key)
        return None if found is None else Thread.of(found)

    @strawberry.field(
        description="Its history, the newest entry first. It always has one entry at least."
    )
    async def revisions(self, info: Info, first: First = DEFAULT_LIST) -> list[Revision]:
        """Its history, the newest entry first."""
        found = await info.context.loaders.revisions.load((str(self.id), page_size(first)))
        return [Revision.of(entry) for entry in found]

    @strawberry.field(description="Where it stands in the forests: once in each of its trees.")
    async def placements(
        self,
        info: Info,
        view: Annotated[ViewName | None, arg("Only in this forest.")] = None,
        first: First = DEFAULT_LIST,
    ) -> list[Placement]:
        """Where it stands in the forests."""
        chosen = None if view is None else View(view.value)
        found = await info.context.loaders.placements.load(
            (str(self.id), (page_size(first), chosen))
        )
        return [Placement.of(placement) for placement in found]

    @strawberry.field(
        description="What connects it with other messages, earlier and later, replies first."
    )
    async def bridges(
        self,
        info: Info,
        kind: Annotated[BridgeKindName | None, arg("Only bridges of this kind.")] = None,
        first: First = DEFAULT_LIST,
    ) -> list[Bridge]:
        """What connects it with other messages."""
        chosen = None if kind is None else BridgeKind(kind.value)
        found = await info.context.loaders.bridges.load((str(self.id), (page_size(first), chosen)))
        return [Bridge.of(bridge) for bridge in found]

    @strawberry.field(description="The channels, people and artifacts that it names.")
    async def mentions(self, info: Info, first: First = DEFAULT_LIST) -> list[Subject]:
        """The channels, people and artifacts that it names."""
        return await mentioned(info, str(self.id), page_size(first))

    @classmethod
    def of(cls, facts: MessageFacts) -> Message:
        """The type of a record."""
        return cls(
            id=strawberry.ID(facts.key),
            channel_key=facts.channel,
            author_key=facts.author,
            thread_id=facts.thread,
            text=facts.text,
            source_text=facts.raw,
            at=facts.at,
            source_id=facts.source_id,
            source_timestamp=facts.source_ts,
            audience=facts.audience,
            channel_name=facts.channel_name,
            author_name=facts.author_name,
            link=facts.link or None,
            files=list(facts.files),
            identifiers=list(facts.identifiers),
            edited=bool(facts.revision),
        )


async def mentioned(info: Info, message: str, limit: int) -> list[Subject]:
    """What a message names, as far as it is visible by itself."""
    import asyncio

    keys = await info.context.loaders.mentions.load((message, limit))
    found = await asyncio.gather(*(subject_of(info, key) for key in keys))
    return [subject for subject in found if subject is not None]


@strawberry.type(description="A message and what was said below it.")
class Thread:
    """A message and what was said below it."""

    key: strawberry.ID = described("Key of the message that began it, as it was first posted.")
    channel_key: strawberry.Private[str]
    thread_id: strawberry.Private[str]
    root_key: strawberry.Private[str | None]
    reply_count: int = described("How many messages it has besides the root.")
    last_reply_at: datetime = described("Time of the last of them, UTC.")

    @strawberry.field(description="The message that began it; null if it was deleted.")
    async def root(self, info: Info) -> Message | None:
        """The message that began it."""
        if self.root_key is None:
            return None
        found = await info.context.loaders.message.load(self.root_key)
        return None if found is None else Message.of(found)

    @strawberry.field(description="Its messages in order of time, the root first.")
    async def messages(
        self, info: Info, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Message]:
        """Its messages in order of time."""
        spec = message_spec("thread", first, after)
        key = (str(self.key), self.channel_key, self.thread_id)
        page = await info.context.loaders.thread_messages.load((key, spec))
        return connection("thread", spec, page, Message.of)

    @classmethod
    def of(cls, facts: ThreadFacts) -> Thread:
        """The type of a record."""
        return cls(
            key=strawberry.ID(facts.key),
            channel_key=facts.channel,
            thread_id=facts.source_id,
            root_key=facts.root,
            reply_count=facts.replies,
            last_reply_at=facts.last,
        )


@strawberry.type(description="A connection between two messages that need not stand together.")
class Bridge:
    """A connection between two messages."""

    other_key: strawberry.Private[str]
    kind: BridgeKindName = described("Why they are connected.")
    identifier: str | None = described("What both name; null for a reply.")
    to_earlier: bool = described(
        "Whether `message` is the earlier one: what this one replies to, or the previous one "
        "that names the identifier."
    )

    @strawberry.field(description="The message at the other end.")
    async def message(self, info: Info) -> Message | None:
        """The message at the other end."""
        found = await info.context.loaders.message.load(self.other_key)
        return None if found is None else Message.of(found)

    @classmethod
    def of(cls, facts: BridgeFacts) -> Bridge:
        """The type of a record."""
        return cls(
            other_key=facts.other,
            kind=BridgeKindName(facts.kind),
            identifier=facts.identifier or None,
            to_earlier=facts.leads,
        )
