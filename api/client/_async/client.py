"""The client."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .. import operations, reading, writing
from ..config import ClientConfig, TokenSource
from ..enums import AudienceKind, ChannelKind, SubjectOrder, TimeUnit, View
from ..evidence_models import Answer, Evidence
from ..files import UploadProgress
from ..job_models import Job
from ..models import (
    Actor,
    Artifact,
    Channel,
    Coverage,
    ForestNodeDetails,
    MessageDetails,
    SearchHit,
    Statistics,
    Tree,
    Workspace,
)
from ..retries import RetryPolicy
from .connection import AsyncConnection
from .jobs import AsyncJobs
from .messages import AsyncMessages
from .pages import AsyncPages
from .upload import Report, upload


class AsyncForestClient:
    """A client of one service. Use it as a context manager, or close it in the end.

    One client serves any number of calls at a time, and keeps its connections open between them.
    All calls but `answer` and `jobs.retry` are sent again where a connection breaks or the
    service is away for a moment; what changes something carries an id by which the service knows
    it again.

    Args:
        url: address of the service; EGCFOREST_URL, or http://127.0.0.1:8080, by default.
        token: an API key or a JWT, or what hands one out before each request; EGCFOREST_TOKEN
            by default.
        on_behalf_of: id, name or key of the actor through whose eyes is read; the token has to
            have the scope `on_behalf`.
        timeout_s: seconds that one call may take, its repetitions included; not for uploads and
            for following a job.
        retry: when and how often calls are repeated.
        max_connections: how many are open at a time; further calls wait for one.
        verify: how certificates are checked: False does not, an `ssl.SSLContext` by its own.

    Attributes:
        messages: adding messages, and going through those of a subject.
        jobs: the work behind appends, uploads and rebuilds.

    Raises:
        ConfigurationError: an argument is not usable.
    """

    messages: AsyncMessages
    jobs: AsyncJobs

    def __init__(
        self,
        url: str | None = None,
        token: TokenSource | None = None,
        *,
        on_behalf_of: str | None = None,
        timeout_s: float = 60.0,
        retry: RetryPolicy | None = None,
        max_connections: int = 20,
        verify: bool | ssl.SSLContext = True,
    ) -> None:
        config = ClientConfig.of(
            url,
            token,
            actor=on_behalf_of,
            timeout_s=timeout_s,
            retry=retry or RetryPolicy(),
            max_connections=max_connections,
            verify=verify,
        )
        self._use(AsyncConnection(config))

    def _use(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self.jobs = AsyncJobs(connection)
        self.messages = AsyncMessages(connection, self.jobs)

    def __repr__(self) -> str:
        config = self._connection.config
        behalf = f" on behalf of {config.actor!r}" if config.actor else ""
        return f"<{type(self).__name__} {config.url}{behalf}>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections. Safe to repeat; what is called afterwards raises ClosedError."""
        await self._connection.close()

    def on_behalf_of(self, actor: str | None) -> Self:
        """A client for another actor's eyes that shares the connections of this one.

        Args:
            actor: id, name or key; None for one's own eyes. The token has to have the scope
                `on_behalf`, and such a client can only read.

        Returns:
            It can be thrown away; only closing this one closes the connections.
        """
        other = type(self).__new__(type(self))
        other._use(self._connection.asking_for(actor))
        return other

    async def workspace(self) -> Workspace:
        """The workspace that the token opens, and through whose eyes.

        Raises:
            ForestClientError: it cannot be had.
        """
        return await self._connection.run(reading.workspace())

    async def evidence(
        self,
        question: str,
        *,
        items: int | None = None,
        tokens: int | None = None,
        view: View | str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        now: datetime | None = None,
        trace: bool = False,
    ) -> Evidence:
        """The evidence for a question: messages verbatim with citations.

        Args:
            question: in any language, up to 4,000 characters.
            items: how many messages at most; as the service is set by default.
            tokens: how many tokens of context at most; as the service is set by default.
            view: only this forest takes part in structure.
            since, until: only messages from then on, and before then.
            now: what "last week" is measured from; the latest message by default.
            trace: tell how it came about.

        Raises:
            ForestClientError: there is no answer. No evidence is no error: `items` is empty.
        """
        operation = reading.evidence(question, items, tokens, view, since, until, now, trace)
        return await self._connection.run(operation)

    async def answer(
        self,
        question: str,
        *,
        items: int | None = None,
        tokens: int | None = None,
        view: View | str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        now: datetime | None = None,
    ) -> Answer:
        """An answer that the service's language model composes from the evidence.

        Arguments are those of `evidence`.

        Raises:
            NotConfiguredError: the service has no model.
            ForestClientError: there is no answer.
        """
        operation = reading.answer(question, items, tokens, view, since, until, now)
        return await self._connection.run(operation)

    def search(
        self,
        text: str,
        *,
        view: View | str | None = None,
        channels: Sequence[str] | None = None,
        authors: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        audience: AudienceKind | str | None = None,
        page_size: int = 20,
    ) -> AsyncPages[SearchHit]:
        """Messages by their words and by what they mean, the best first.

        Args:
            text: anything that a person types; nothing in it is syntax.
            view: only messages that stand in this forest.
            channels, authors: only in these, by these; keys.
            since, until: only messages from then on, and before then.
            audience: only what was said in public, or only what was not.
            page_size: rows that are asked for at a time, at most 100.
        """
        listing = reading.search(text, view, channels, authors, since, until, audience)
        return AsyncPages(self._connection, listing, page_size)

    def channels(
        self,
        *,
        name_starts_with: str | None = None,
        kinds: Iterable[ChannelKind | str] | None = None,
        active_since: datetime | None = None,
        order: SubjectOrder | str = SubjectOrder.NAME,
        page_size: int = 50,
    ) -> AsyncPages[Channel]:
        """The channels and conversations that the asker may read."""
        listing = reading.channels(name_starts_with, kinds, active_since, order)
        return AsyncPages(self._connection, listing, page_size)

    def actors(
        self,
        *,
        name_starts_with: str | None = None,
        active_since: datetime | None = None,
        order: SubjectOrder | str = SubjectOrder.NAME,
        page_size: int = 50,
    ) -> AsyncPages[Actor]:
        """The people and bots of whom the asker may read something, and the asker."""
        listing = reading.actors(name_starts_with, active_since, order)
        return AsyncPages(self._connection, listing, page_size)

    def artifacts(
        self,
        *,
        text_starts_with: str | None = None,
        kinds: Iterable[str] | None = None,
        active_since: datetime | None = None,
        order: SubjectOrder | str = SubjectOrder.LAST_ACTIVITY,
        page_size: int = 50,
    ) -> AsyncPages[Artifact]:
        """The artifacts that messages are about which the asker sees."""
        listing = reading.artifacts(text_starts_with, kinds, active_since, order)
        return AsyncPages(self._connection, listing, page_size)

    def coverage(self, *, page_size: int = 50) -> AsyncPages[Coverage]:
        """What the log holds of each channel, by name."""
        return AsyncPages(self._connection, reading.coverage(), page_size)

    async def message(self, key: str) -> MessageDetails:
        """A message as it stands now, with all that hangs on it, by its key.

        Raises:
            NotFoundError: there is none that the asker may see.
            ForestClientError: it cannot be had.
        """
        return await self._connection.run(reading.message(key))

    async def tree(self, view: View | str, subject: str, *, audience: str | None = None) -> Tree:
        """The tree of a subject; of several audiences' trees the largest, unless one is named.

        Args:
            view: the forest.
            subject: a key, an id of the source, a name or an alias.
            audience: `public`, or the id of a private place.

        Raises:
            NotFoundError: there is none that the asker may see.
            ForestClientError: it cannot be had.
        """
        return await self._connection.run(reading.tree(view, subject, audience))

    async def node(self, key: str) -> ForestNodeDetails:
        """A forest node with its ancestors and children, by its key.

        Raises:
            NotFoundError: there is none that the asker may see.
            ForestClientError: it cannot be had.
        """
        return await self._connection.run(reading.node(key))

    async def statistics(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        channel: str | None = None,
        author: str | None = None,
        unit: TimeUnit | str = TimeUnit.DAY,
        time_zone: str = "UTC",
        top: int = 10,
    ) -> Statistics:
        """Counts of visible messages: over time, by channel, by person, by artifact.

        Args:
            since, until: only messages from then on, and before then.
            channel: key of a channel: only its messages.
            author: key of an actor: only what they wrote.
            unit: how wide the stretches of time are; there can be 1,000.
            time_zone: whose days, weeks and months are meant, such as `Europe/Berlin`.
            top: how many channels, people and artifacts, the most active ones.

        Raises:
            ForestClientError: they cannot be had.
        """
        operation = reading.statistics(since, until, channel, author, unit, time_zone, top)
        return await self._connection.run(operation)

    async def upload(
        self,
        path: str | os.PathLike[str],
        *,
        wait: bool = False,
        on_progress: Report | None = None,
        time_zone: str | None = None,
        permalink_base: str | None = None,
        client_request_id: str | None = None,
    ) -> Job:
        """Ingest an export: a Slack export (.zip) or JSONL. It is read in pieces.

        Args:
            path: the file.
            wait: return when its messages can be searched, and not when it has arrived.
            on_progress: told how far it has come; called within this call, so let it be quick.
            time_zone: JSONL: zone of times without an offset.
            permalink_base: Slack: `https://NAME.slack.com`, for links.
            client_request_id: an id of your own: whoever repeats it gets the same job.

        Raises:
            BadInputError: the file cannot be read or used.
            JobFailedError: it was waited for, and has failed.
            ForestClientError: it cannot be uploaded.
        """
        return await upload(
            self._connection,
            Path(path),
            wait=wait,
            on_progress=on_progress or _nobody_told,
            time_zone=time_zone,
            permalink_base=permalink_base,
            client_request_id=client_request_id,
        )

    async def rebuild(
        self,
        channels: Sequence[str] | None = None,
        *,
        wait: bool = False,
        client_request_id: str | None = None,
    ) -> Job:
        """Grow the forests anew from the log. Takes the scope `admin`.

        Args:
            channels: ids, keys or names; the whole workspace by default.
            wait: return when it is done.
            client_request_id: an id of your own: whoever repeats it gets the same job.

        Raises:
            JobFailedError: it was waited for, and has failed.
            ForestClientError: it cannot be begun.
        """
        job = await self._connection.run(writing.rebuild(channels, client_request_id))
        return await self.jobs.wait(job) if wait else job

    async def execute(
        self,
        query: str,
        variables: Mapping[str, Any] | None = None,
        *,
        operation_name: str = "",
        safe: bool | None = None,
    ) -> dict[str, Any]:
        """The `data` of an operation of your own; docs/schema.graphql has the schema.

        Args:
            query: the document; for subscriptions there is `jobs.watch`.
            variables: JSON values; times, enums and tuples are converted.
            operation_name: which operation is meant, where the document has several.
            safe: whether it may be repeated; by default, queries are.

        Raises:
            ForestClientError: there are errors; `data` has what came of the other fields.
        """
        operation = operations.own(query, variables, operation_name, safe)
        return await self._connection.run(operation)


def _nobody_told(progress: UploadProgress) -> None:
    """Nobody wants to know."""
