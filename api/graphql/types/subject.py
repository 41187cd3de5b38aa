"""What channels, actors and artifacts share, and what everything with an id shares."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from ....graph.read_records import MessagePageSpec
from ..context import Info
from ..inputs import DEFAULT_PAGE, page_size, time_range
from .describing import arg, described
from .enums import MessageOrder
from .pages import After, Connection, First, connection, message_spec

if TYPE_CHECKING:
    from ....graph.read_records import MessageFacts, Page
    from .forest import Tree
    from .message import Message

Since = Annotated[datetime | None, arg("Only messages from then on, included.")]
Until = Annotated[datetime | None, arg("Only messages before then.")]


@strawberry.interface(description="Anything with an id, as Relay wants it.")
class Node:
    """Anything with an id."""

    id: strawberry.ID = described(
        "Its key in the graph: unique, readable, and the same for as long as it exists."
    )


@strawberry.type(description="From the earliest to the latest of some messages.")
class Period:
    """From the earliest to the latest of some messages."""

    first: datetime = described("Time of the earliest message, UTC.")
    last: datetime = described("Time of the latest message, UTC.")


def period(first: datetime | None, last: datetime | None) -> Period | None:
    """A period, None if there is no message."""
    return None if first is None or last is None else Period(first=first, last=last)


@strawberry.interface(
    description="What a tree may be about: a channel, an actor or an artifact. Sizes and periods "
    "are those of the trees that the asker may see, as they were last built."
)
class Subject(Node):
    """What a tree may be about."""

    name: str = described("What it is called.")
    size: int = described("How many messages its trees hold.")
    period: Period | None = described("When they were posted; null if there are none.")

    @strawberry.field(
        description="Its trees, one for each audience, the largest first. A subject that is "
        "spoken of in public and in a private channel has two."
    )
    async def trees(
        self, info: Info, first: First = 5
    ) -> list[Annotated[Tree, strawberry.lazy(".forest")]]:
        """Its trees."""
        from .forest import Tree

        found = await info.context.loaders.trees_of.load((str(self.id), page_size(first)))
        return [Tree.of(tree) for tree in found]

    @strawberry.field(
        description="Messages of it: in a channel, written by an actor, or about an artifact."
    )
    async def messages(
        self,
        info: Info,
        first: First = DEFAULT_PAGE,
        after: After = None,
        order: Annotated[MessageOrder, arg("How they are sorted.")] = MessageOrder.NEWEST_FIRST,
        since: Since = None,
        until: Until = None,
    ) -> Connection[Annotated[Message, strawberry.lazy(".message")]]:
        """Messages of it."""
        from .message import Message

        name = f"messages:{order.value}"
        spec = message_spec(
            name,
            first,
            after,
            newest=order is MessageOrder.NEWEST_FIRST,
            within=time_range(since, until),
        )
        page = await self._messages(info, spec)
        return connection(name, spec, page, Message.of)

    async def _messages(self, info: Info, spec: MessagePageSpec) -> Page[MessageFacts]:
        raise NotImplementedError
