"""Trees, forest nodes, placements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import strawberry

from ....graph.read_records import NodeFacts, PlacedMessage, PlacementFacts, TreeFacts
from ..context import Info
from ..inputs import DEFAULT_PAGE
from .catalog import subject_of
from .describing import cost, described
from .enums import ViewName
from .pages import After, Connection, First, connection, message_spec
from .subject import Node, Period, Subject, period

if TYPE_CHECKING:
    from .message import Message


@strawberry.type(description="One field of a tree's card.")
class CardField:
    """One field of a tree's card."""

    name: str = described("Which, such as `purpose`, `participants` or `decisions`.")
    lines: list[str] = described("What it says.")


@strawberry.type(
    description="One subject, seen in one forest, for one audience: the messages of it, in order, "
    "under summaries."
)
class Tree(Node):
    """One subject, seen in one forest, for one audience."""

    subject_key: strawberry.Private[str]
    root_key: strawberry.Private[str | None]
    view: ViewName = described("The forest it stands in.")
    audience: str = described("Whose messages it holds: `public`, or the id of a private place.")
    name: str = described("What its subject is called in these messages.")
    aliases: list[str] = described("What else it is called in them.")
    size: int = described("How many messages it holds.")
    period: Period | None = described("When they were posted.")
    card: list[CardField] = described(
        "What is known of the subject, as far as these messages support it.",
        directives=cost(0, 1),
    )

    @strawberry.field(description="What it is about.")
    async def subject(self, info: Info) -> Subject | None:
        """What it is about."""
        return await subject_of(info, self.subject_key)

    @strawberry.field(description="The node at the top; null while the tree is being built.")
    async def root(self, info: Info) -> ForestNode | None:
        """The node at the top."""
        if self.root_key is None:
            return None
        found = await info.context.loaders.node.load(self.root_key)
        return None if found is None else ForestNode.of(found)

    @classmethod
    def of(cls, facts: TreeFacts) -> Tree:
        """The type of a record."""
        return cls(
            id=strawberry.ID(facts.key),
            subject_key=facts.subject,
            root_key=facts.root,
            view=ViewName(facts.view),
            audience=facts.audience,
            name=facts.name,
            aliases=list(facts.aliases),
            size=facts.size,
            period=period(facts.first, facts.last),
            card=[CardField(name=name, lines=list(lines)) for name, lines in facts.card.items()],
        )


@strawberry.type(
    description="An inner node of a tree: a stretch of messages with a summary. On level 1 stand "
    "episodes, which hold messages; above them, nodes hold nodes."
)
class ForestNode(Node):
    """An inner node of a tree."""

    tree_key: strawberry.Private[str]
    parent_key: strawberry.Private[str | None]
    view: ViewName = described("The forest it stands in.")
    audience: str = described("Who may see it: `public`, or the id of a private place.")
    level: int = described("1 for an episode, more above.")
    size: int = described("How many messages are below it.")
    period: Period = described("From the earliest of them to the latest.")
    caption: str = described("A short label.")
    summary: str = described("What the messages below say. Never evidence: they are.")

    @strawberry.field(description="The tree it belongs to.")
    async def tree(self, info: Info) -> Tree | None:
        """The tree it belongs to."""
        found = await info.context.loaders.tree.load(self.tree_key)
        return None if found is None else Tree.of(found)

    @strawberry.field(description="The node right above; null for a root.")
    async def parent(self, info: Info) -> ForestNode | None:
        """The node right above."""
        if self.parent_key is None:
            return None
        found = await info.context.loaders.node.load(self.parent_key)
        return None if found is None else ForestNode.of(found)

    @strawberry.field(
        description="The nodes above, the root first; at most 16.", directives=cost(size=4)
    )
    async def ancestors(self, info: Info) -> list[ForestNode]:
        """The nodes above, the root first."""
        found = await info.context.loaders.ancestors.load((str(self.id), None))
        return [ForestNode.of(node) for node in found]

    @strawberry.field(description="The nodes right below, in order of time; none below an episode.")
    async def children(
        self, info: Info, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[ForestNode]:
        """The nodes right below."""
        spec = message_spec("children", first, after)
        page = await info.context.loaders.children.load((str(self.id), spec))
        return connection("children", spec, page, ForestNode.of)

    @strawberry.field(description="All messages below, in order of time.")
    async def messages(
        self, info: Info, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Annotated[Message, strawberry.lazy(".message")]]:
        """All messages below."""
        from .message import Message

        def make(placed: PlacedMessage) -> Message:
            return Message.of(placed.message)

        spec = message_spec("placed", first, after)
        page = await info.context.loaders.node_messages.load((str(self.id), spec))
        return connection("placed", spec, page, make)

    @strawberry.field(
        description="The same messages with the places at which they stand, in order of time."
    )
    async def placements(
        self, info: Info, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Placement]:
        """The same messages with the places at which they stand."""

        def make(placed: PlacedMessage) -> Placement:
            return Placement.of(placed.placement)

        spec = message_spec("placed", first, after)
        page = await info.context.loaders.node_messages.load((str(self.id), spec))
        return connection("placed", spec, page, make)

    @classmethod
    def of(cls, facts: NodeFacts) -> ForestNode:
        """The type of a record."""
        return cls(
            id=strawberry.ID(facts.key),
            tree_key=facts.tree,
            parent_key=facts.parent,
            view=ViewName(facts.view),
            audience=facts.audience,
            level=facts.level,
            size=facts.size,
            period=Period(first=facts.first, last=facts.last),
            caption=facts.caption,
            summary=facts.summary,
        )


@strawberry.type(
    description="One entry of the Placement Map: a message stands in an episode of a tree. It has "
    "as many as there are trees that it belongs to."
)
class Placement:
    """One entry of the Placement Map."""

    message_key: strawberry.Private[str]
    node_key: strawberry.Private[str]
    tree_key: strawberry.Private[str]
    view: ViewName = described("The forest.")
    position: int = described("Its place in the episode, from 0.")

    @strawberry.field(description="The episode.")
    async def node(self, info: Info) -> ForestNode | None:
        """The episode."""
        found = await info.context.loaders.node.load(self.node_key)
        return None if found is None else ForestNode.of(found)

    @strawberry.field(description="The tree that the episode belongs to.")
    async def tree(self, info: Info) -> Tree | None:
        """The tree that the episode belongs to."""
        found = await info.context.loaders.tree.load(self.tree_key)
        return None if found is None else Tree.of(found)

    @strawberry.field(description="The message.")
    async def message(self, info: Info) -> Annotated[Message, strawberry.lazy(".message")] | None:
        """The message."""
        from .message import Message

        found = await info.context.loaders.message.load(self.message_key)
        return None if found is None else Message.of(found)

    @classmethod
    def of(cls, facts: PlacementFacts) -> Placement:
        """The type of a record."""
        return cls(
            message_key=facts.message,
            node_key=facts.node,
            tree_key=facts.tree,
            view=ViewName(facts.view),
            position=facts.position,
        )
