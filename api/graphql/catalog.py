"""Queries about what there is: lists and look-ups."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from ... import __version__
from ...graph.inspection import InspectionStore
from ...graph.keys import actor_key, channel_key
from ...graph.read_records import ChannelFacts, CoverageFacts, PageSpec, SubjectFilter, SubjectOrder
from ...graph.records import Scope, View
from .context import Info
from .inputs import DEFAULT_PAGE, LONGEST_NAME, bad_input, bounded, keys, moment, words
from .types.catalog import Actor, Artifact, Channel, Coverage, Workspace, subject_of
from .types.describing import arg, cost, described
from .types.enums import ChannelKindName, SubjectOrderName, ViewName
from .types.forest import ForestNode, Tree
from .types.message import Message
from .types.pages import After, Connection, First, connection, spec
from .types.subject import Node

Key = Annotated[strawberry.ID, arg("Its key in the graph, as in `id`.")]


@strawberry.input(description="Which channels. What is left out restricts nothing.")
class ChannelFilter:
    """Which channels."""

    name_starts_with: str = described("What the name begins with, case aside.", default="")
    kinds: list[ChannelKindName] | None = described("Only of these kinds.", default=None)
    active_since: datetime | None = described("Only those with a message since then.", default=None)


@strawberry.input(description="Which actors. What is left out restricts nothing.")
class ActorFilter:
    """Which actors."""

    name_starts_with: str = described(
        "What the name or the full name begins with, case aside.", default=""
    )
    active_since: datetime | None = described(
        "Only those who said or were told something since then.", default=None
    )


@strawberry.input(description="Which artifacts. What is left out restricts nothing.")
class ArtifactFilter:
    """Which artifacts."""

    text_starts_with: str = described(
        "What the identifier, a title or another name begins with, case aside.", default=""
    )
    kinds: list[str] | None = described(
        "Only of these kinds, such as `pull_request`, `ticket` or `document`.", default=None
    )
    active_since: datetime | None = described("Only those with a message since then.", default=None)


ByOrder = Annotated[SubjectOrderName, arg("How they are sorted; equal ones by key.")]
Channels = Annotated[ChannelFilter | None, arg("Which channels.")]
Actors = Annotated[ActorFilter | None, arg("Which actors.")]
Artifacts = Annotated[ArtifactFilter | None, arg("Which artifacts.")]


@strawberry.type
class CatalogQuery:
    """The root fields about what there is."""

    @strawberry.field(description="The workspace that the token opens.", directives=cost(10))
    async def workspace(self, info: Info) -> Workspace:
        """The workspace that the token opens."""
        loaders = info.context.loaders
        return Workspace.of(await loaders.reading.catalog.workspace(loaders.scope))

    @strawberry.field(description="The version of the service.")
    def service_version(self) -> str:
        """The version of the service."""
        return __version__

    @strawberry.field(
        description="The channels and conversations that the asker may read.", directives=cost(10)
    )
    async def channels(
        self,
        info: Info,
        first: First = DEFAULT_PAGE,
        after: After = None,
        order: ByOrder = SubjectOrderName.NAME,
        filter: Channels = None,
    ) -> Connection[Channel]:
        """The channels and conversations that the asker may read."""
        loaders, given = info.context.loaders, filter or ChannelFilter()
        name = f"channels:{order.value}"
        page = _page(name, order, first, after)
        kinds = None if given.kinds is None else [str(kind.value) for kind in given.kinds]
        wanted = _wanted(given.name_starts_with, given.active_since, kinds)
        found = await loaders.reading.catalog.channels(
            loaders.scope, page, SubjectOrder(order.value), wanted
        )
        loaders.channel.prime_many({row.key: row.row for row in found.rows})
        return connection(name, page, found, Channel.of)

    @strawberry.field(description="A channel or conversation; null if the asker sees none.")
    async def channel(self, info: Info, id: Key) -> Channel | None:
        """A channel or conversation."""
        found = await info.context.loaders.channel.load(str(id))
        return None if found is None else Channel.of(found)

    @strawberry.field(
        description="The people and bots of whom the asker may read something, and the asker.",
        directives=cost(10),
    )
    async def actors(
        self,
        info: Info,
        first: First = DEFAULT_PAGE,
        after: After = None,
        order: ByOrder = SubjectOrderName.NAME,
        filter: Actors = None,
    ) -> Connection[Actor]:
        """The people and bots of whom the asker may read something."""
        loaders, given = info.context.loaders, filter or ActorFilter()
        name = f"actors:{order.value}"
        page = _page(name, order, first, after)
        wanted = _wanted(given.name_starts_with, given.active_since, None)
        found = await loaders.reading.catalog.actors(
            loaders.scope, page, SubjectOrder(order.value), wanted
        )
        loaders.actor.prime_many({row.key: row.row for row in found.rows})
        return connection(name, page, found, Actor.of)

    @strawberry.field(description="A person or bot; null if the asker sees none.")
    async def actor(self, info: Info, id: Key) -> Actor | None:
        """A person or bot."""
        found = await info.context.loaders.actor.load(str(id))
        return None if found is None else Actor.of(found)

    @strawberry.field(
        description="The artifacts that messages are about which the asker sees.",
        directives=cost(10),
    )
    async def artifacts(
        self,
        info: Info,
        first: First = DEFAULT_PAGE,
        after: After = None,
        order: ByOrder = SubjectOrderName.LAST_ACTIVITY,
        filter: Artifacts = None,
    ) -> Connection[Artifact]:
        """The artifacts that messages are about which the asker sees."""
        loaders, given = info.context.loaders, filter or ArtifactFilter()
        name = f"artifacts:{order.value}"
        page = _page(name, order, first, after)
        wanted = _wanted(given.text_starts_with, given.active_since, given.kinds, "textStartsWith")
        found = await loaders.reading.catalog.artifacts(
            loaders.scope, page, SubjectOrder(order.value), wanted
        )
        loaders.artifact.prime_many({row.key: row.row for row in found.rows})
        return connection(name, page, found, Artifact.of)

    @strawberry.field(description="An artifact; null if the asker sees none.")
    async def artifact(self, info: Info, id: Key) -> Artifact | None:
        """An artifact."""
        found = await info.context.loaders.artifact.load(str(id))
        return None if found is None else Artifact.of(found)

    @strawberry.field(
        description="The tree of a subject in a forest. A subject has one for each audience: "
        "without `audience`, it is the largest that the asker may see.",
        directives=cost(10),
    )
    async def tree(
        self,
        info: Info,
        view: Annotated[ViewName, arg("The forest.")],
        subject: Annotated[
            str, arg("What it is about: a key, an id of the source, a name or an alias.")
        ],
        audience: Annotated[
            str | None, arg("Whose messages: `public`, or the id of a private place.")
        ] = None,
    ) -> Tree | None:
        """The tree of a subject in a forest."""
        loaders = info.context.loaders
        wanted = words(subject, "subject", longest=LONGEST_NAME).strip()
        found = await InspectionStore(info.context.service.store).find_trees(
            loaders.scope, View(view.value), *_name_and_key(loaders.scope, view, wanted)
        )
        if audience is not None:
            found = [tree for tree in found if tree.audience == audience]
        subjects = {tree.subject: tree.name for tree in found}
        if len(subjects) > 1:
            listed = "; ".join(f"{name} ({key})" for key, name in list(subjects.items())[:10])
            raise bad_input(
                f"{len(subjects)} subjects are called so: {listed}.",
                "Give the key instead.",
                "subject",
            )
        facts = await loaders.tree.load(found[0].key) if found else None
        return None if facts is None else Tree.of(facts)

    @strawberry.field(description="A node of a tree; null if the asker sees none.")
    async def forest_node(self, info: Info, key: Key) -> ForestNode | None:
        """A node of a tree."""
        found = await info.context.loaders.node.load(str(key))
        return None if found is None else ForestNode.of(found)

    @strawberry.field(
        description="A message as it stands now; null if the asker sees none. The key may be that "
        "of an earlier entry of it, as in a citation from before an edit."
    )
    async def message(self, info: Info, key: Key) -> Message | None:
        """A message as it stands now."""
        loaders = info.context.loaders
        found = await loaders.message.load(str(key))
        if found is None:
            newer = await loaders.newer.load(str(key))
            found = None if newer is None else await loaders.message.load(newer)
        return None if found is None else Message.of(found)

    @strawberry.field(
        description="Anything by its id, as Relay refetches it; null if the asker sees none."
    )
    async def node(self, info: Info, id: Key) -> Node | None:
        """Anything by its id."""
        loaders, key = info.context.loaders, str(id)
        match key.split("/"):
            case [name] if name == loaders.scope.workspace:
                return Workspace.of(await loaders.reading.catalog.workspace(loaders.scope))
            case [_, "m", *_]:
                message = await loaders.message.load(key)
                return None if message is None else Message.of(message)
            # A tree's key ends with its audience, a node's goes on with level, channel, message.
            case [_, "t", _, "x", _, _, _] | [_, "t", _, "c" | "a", _, _]:
                tree = await loaders.tree.load(key)
                return None if tree is None else Tree.of(tree)
            case [_, "t", *_]:
                forest_node = await loaders.node.load(key)
                return None if forest_node is None else ForestNode.of(forest_node)
        return await subject_of(info, key)

    @strawberry.field(
        description="What the log holds of each channel that the asker may read, by name.",
        directives=cost(20),
    )
    async def coverage(
        self, info: Info, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Coverage]:
        """What the log holds of each channel."""
        loaders = info.context.loaders
        page = spec("coverage", first, after, by=str)
        found = await loaders.reading.catalog.channels(
            loaders.scope, page, SubjectOrder.NAME, SubjectFilter()
        )
        loaders.channel.prime_many({row.key: row.row for row in found.rows})
        held = await loaders.coverage.load_many([row.key for row in found.rows])

        def make(channel: ChannelFacts) -> Coverage:
            return Coverage.of(by_channel[channel.key])

        by_channel = {
            row.key: facts or CoverageFacts(row.key, None, None, 0)
            for row, facts in zip(found.rows, held, strict=True)
        }
        return connection("coverage", page, found, make)


def _page(name: str, order: SubjectOrderName, first: int, after: str | None) -> PageSpec:
    return spec(name, first, after, by=str if order is SubjectOrderName.NAME else int)


def _wanted(
    starts: str,
    active_since: datetime | None,
    kinds: list[str] | None,
    argument: str = "nameStartsWith",
) -> SubjectFilter:
    return SubjectFilter(
        bounded(starts, argument), keys(kinds, "kinds"), moment(active_since, "activeSince")
    )


def _name_and_key(scope: Scope, view: ViewName, wanted: str) -> tuple[str, str]:
    if wanted.startswith(f"{scope.workspace}/"):
        return wanted, wanted
    if view is ViewName.CHANNEL:
        wanted = wanted.removeprefix("#") or "#"
        return wanted, channel_key(scope.workspace, wanted)
    if view is ViewName.ACTOR:
        wanted = wanted.removeprefix("@") or "@"
        return wanted, actor_key(scope.workspace, wanted)
    return wanted, wanted
