"""One opened graph, or one opened service, for a process: shared by command line and API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..graph.identity import EncoderIdentity
from ..graph.log_store import LogStore
from ..graph.records import Scope
from ..graph.store import ForestStore
from ..text.encoders import Encoder, load_encoder
from .engine import Engine
from .errors import NotFoundError
from .settings import Settings

if TYPE_CHECKING:
    from ..builders.pipeline import BuildReport
    from ..builders.progress import Report
    from ..builders.receipt import Receipt
    from ..builders.sources import Source
    from ..retrieval.pipeline import Retriever


@dataclass(frozen=True, slots=True)
class OpenGraph:
    """The graph without an encoder: enough to look at it, and to wipe.

    Attributes:
        engine: the Neo4j that it lives in.
        store: the connection.
        log: workspaces, people, messages.
    """

    engine: Engine
    store: ForestStore
    log: LogStore

    async def workspace(self, name: str) -> str:
        """`name` if there is such a workspace; for an empty name, the only one there is.

        Raises:
            NotFoundError: it is not there, or none was named and there is not exactly one.
        """
        known = await self.log.workspaces()
        if name in known or (not name and len(known) == 1):
            return name or known[0]
        if not known:
            raise NotFoundError(
                "Nothing has been ingested yet.",
                "Ingest an export first: egcforest ingest PATH --workspace NAME.",
            )
        listed = ", ".join(known)
        if not name:
            raise NotFoundError(
                f"There are several workspaces: {listed}.",
                "Name one with --workspace or EGCFOREST_WORKSPACE.",
            )
        raise NotFoundError(f"There is no workspace {name!r}.", f"There are: {listed}.")

    async def scope(self, workspace: str, asker: str | None) -> Scope:
        """What `asker`, an id or a name, may see in `workspace`; without one, what is public.

        Raises:
            NotFoundError: there is no such workspace, or none was named and several are there.
            UnknownActorError: nobody goes by that name, or several do; the message lists them.
        """
        known = await self.workspace(workspace)
        if asker is None:
            return await self.log.scope(known)
        actor = await self.log.find_actor(known, asker)
        return await self.log.scope(known, actor.key)


@dataclass(frozen=True, slots=True)
class Service(OpenGraph):
    """The graph with the encoder that its vectors come from: enough to ingest and to ask."""

    encoder: Encoder

    def retriever(self) -> Retriever:
        """What answers questions."""
        from ..retrieval.pipeline import Retriever

        return Retriever(self.store, self.encoder)

    async def ingest(
        self, source: Source, workspace: str, report: Report
    ) -> tuple[Receipt, BuildReport]:
        """Log an export and grow the forests over it; safe to repeat and to interrupt.

        Raises:
            InvalidKeyError: the workspace's name is not usable.
        """
        from ..builders.pipeline import ingest

        return await ingest(source, workspace, self.store, self.encoder, report=report)


@asynccontextmanager
async def open_graph(engine: Engine) -> AsyncIterator[OpenGraph]:
    """The graph in `engine`, for as long as the context lasts.

    Raises:
        ConnectionFailedError: it does not answer or refuses the credentials.
    """
    async with await ForestStore.open(engine.connection) as store:
        yield OpenGraph(engine, store, LogStore(store))


@asynccontextmanager
async def open_service(
    engine: Engine, settings: Settings, *, reencode: bool = False
) -> AsyncIterator[Service]:
    """The graph and the encoder; schema and encoder are checked, what is missing is created.

    Args:
        engine: where the graph is.
        settings: which encoder.
        reencode: take that encoder even if the graph's vectors come from another one.

    Raises:
        ConnectionFailedError: the graph does not answer or refuses the credentials.
        EncoderMismatchError: the graph's vectors come from another encoder.
        TextError: the encoder is unknown or cannot be loaded.
    """
    encoder = load_encoder(settings.encoder, **settings.encoder_options)
    # An encoder behind an endpoint learns its width by a call.
    identity = await asyncio.to_thread(EncoderIdentity.of, encoder)
    async with await ForestStore.open(engine.connection) as store:
        await store.prepare(identity, reencode=reencode)
        yield Service(engine, store, LogStore(store), encoder)
