"""What a resolver finds in `info.context`."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

import strawberry
from starlette.websockets import WebSocket
from strawberry.fastapi import BaseContext

from ...graph.errors import UnknownActorError, UnknownWorkspaceError
from ...graph.records import Scope
from ...retrieval.trace import Trace
from ..access.credentials import Credentials
from ..access.principal import Principal, UnauthenticatedError
from ..answering import Composer
from ..asking import Questions
from ..jobs.service import JobService
from ..service import Service
from ..settings import Settings
from .documents import Admitted
from .loaders import Loaders
from .protection import Protection
from .reports import Observer


class Authenticates(Protocol):
    """Finds out who a request comes from; `api.access.authenticate.Authenticator` does."""

    async def authenticate(
        self,
        authorization: str | None,
        *,
        on_behalf_of: str | None = None,
        client: str = "",
        request_id: str = "",
    ) -> Principal:
        """Who sent these headers from the address `client`.

        Raises:
            UnauthenticatedError: there is no good token.
            TooManyFailuresError: there was none from this address again and again.
            ForbiddenError: this token may not ask on behalf of that actor.
        """
        ...

    async def renew(self, principal: Principal) -> Principal:
        """`principal` as its token makes it now.

        Raises:
            UnauthenticatedError: the token was revoked or has expired.
            ForbiddenError: it may not ask on behalf of that actor any more.
        """
        ...


@dataclass(frozen=True, slots=True)
class Runtime:
    """What lives as long as the process: drivers, one encoder, one authenticator, one model.

    Attributes:
        settings: how the service is configured.
        service: the graph and the encoder.
        authenticator: finds out who asks.
        composer: writes answers, where a model is configured.
        jobs: uploads, appends and rebuilds, with their worker.
        protection: admits operations.
        questions: answers them, on a thread of their own.
        observers: told of each operation that has ended.
        closing: set when the process is to end, so that streams end.
    """

    settings: Settings
    service: Service
    authenticator: Authenticates
    composer: Composer
    jobs: JobService
    protection: Protection
    questions: Questions
    observers: list[Observer] = field(default_factory=list)
    closing: asyncio.Event = field(default_factory=asyncio.Event)


class RequestContext(BaseContext):
    """One operation: who asks, what they may see, and where to read it.

    A WebSocket's connection has one too, from which each operation gets its own by
    `for_operation`. `scope` and `loaders` are there once `open` has been called, which is
    before the first resolver and again before each event of a subscription.

    Attributes:
        runtime: what lives as long as the process.
        request_id: names the request in the log and in errors.
        client: address of the other side.
    """

    def __init__(
        self, runtime: Runtime, request_id: str, client: str, principal: Principal | None
    ) -> None:
        super().__init__()
        self.runtime = runtime
        self.request_id = request_id
        self.client = client
        self._principal = principal
        self._loaders: Loaders | None = None
        self._operations = 0
        self.admitted_or_none: Admitted | None = None
        self.stages_ms: dict[str, float] = {}

    @property
    def service(self) -> Service:
        """The graph and the encoder."""
        return self.runtime.service

    @property
    def jobs(self) -> JobService:
        """Uploads, appends and rebuilds."""
        return self.runtime.jobs

    @property
    def settings(self) -> Settings:
        """How the service is configured."""
        return self.runtime.settings

    @property
    def principal(self) -> Principal:
        """Who asks.

        Raises:
            UnauthenticatedError: a WebSocket that has not signed in yet.
        """
        if self._principal is None:
            raise UnauthenticatedError
        return self._principal

    @property
    def signed_in(self) -> bool:
        """Whether it is known who asks."""
        return self._principal is not None

    @property
    def admitted(self) -> Admitted:
        """The operation."""
        if self.admitted_or_none is None:
            raise RuntimeError("The operation was not admitted.")
        return self.admitted_or_none

    @admitted.setter
    def admitted(self, admitted: Admitted) -> None:
        self.admitted_or_none = admitted

    @property
    def is_lasting(self) -> bool:
        """Whether the connection stays open for more operations."""
        return isinstance(self.request, WebSocket)

    @property
    def loaders(self) -> Loaders:
        """What fetches in batches, within what the asker may see."""
        if self._loaders is None:
            raise RuntimeError("The context was not opened.")
        return self._loaders

    @property
    def scope(self) -> Scope:
        """What the asker may see, as it was when the operation or the event began."""
        return self.loaders.scope

    async def sign_in(self, credentials: Credentials) -> None:
        """Find out who asks.

        Raises:
            UnauthenticatedError: there is no good token.
            TooManyFailuresError: there was none from this address again and again.
            ForbiddenError: it may not ask on behalf of that actor.
        """
        self._principal = await self.runtime.authenticator.authenticate(
            credentials.authorization,
            on_behalf_of=credentials.on_behalf_of,
            client=self.client,
            request_id=self.request_id,
        )

    async def open(self) -> None:
        """Look up what the asker may see, and begin with empty loaders.

        Raises:
            UnauthenticatedError: the workspace or the actor has just gone.
        """
        principal = self.principal
        try:
            scope = await self.service.log.scope(principal.workspace, principal.actor)
        except (UnknownWorkspaceError, UnknownActorError):
            # Their own words list all workspaces there are.
            raise UnauthenticatedError from None
        self._loaders = Loaders(self.service, scope)

    async def renew(self) -> None:
        """Check the token again and open anew: a stream goes on for as long as it may.

        Raises:
            UnauthenticatedError: the token was revoked or has expired.
            ForbiddenError: it may not ask on behalf of that actor any more.
        """
        await self.check_token()
        await self.open()

    async def check_token(self) -> Principal:
        """Who asks, if the token is good still; what they may see is not looked up anew.

        Raises:
            UnauthenticatedError: the token was revoked or has expired.
            ForbiddenError: it may not ask on behalf of that actor any more.
        """
        self._principal = await self.runtime.authenticator.renew(self.principal)
        return self._principal

    def note_stages(self, trace: Trace) -> None:
        """Remember for logs and metrics how long the stages of an answer took."""
        for stage, record in trace.stages.items():
            self.stages_ms[str(stage)] = self.stages_ms.get(str(stage), 0.0) + record.ms

    def for_operation(self) -> RequestContext:
        """A context for one more operation of the same connection."""
        self._operations += 1
        own = RequestContext(
            self.runtime,
            self.request_id if self._operations == 1 else f"{self.request_id}-{self._operations}",
            self.client,
            self._principal,
        )
        own.request = self.request
        own.background_tasks = self.background_tasks
        own.response = self.response
        own.connection_params = self.connection_params
        return own


message_extensions: ContextVar[dict[str, Any] | None] = ContextVar(
    "message_extensions", default=None
)
"""The `extensions` of the WebSocket message that began this task; Strawberry drops them."""

Info = strawberry.Info[RequestContext, None]
"""What a resolver takes as `info`."""
