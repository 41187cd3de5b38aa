"""A real server on a free port for tests: uvicorn in a thread with an event loop of its own."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import httpx

from egcforest.api.access.principal import Principal, TokenScope, UnauthenticatedError
from egcforest.api.engine import Engine
from egcforest.api.server.app import create_app
from egcforest.api.server.lifespan import ServeConfig
from egcforest.api.server.run import Server, uvicorn_config
from egcforest.api.service import Service
from egcforest.api.settings import Settings
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore


@dataclass(slots=True)
class Tokens:
    """Makes tokens that the server of a test accepts."""

    principals: dict[str, Principal] = field(default_factory=dict)

    async def authenticate(
        self, authorization: str | None, *, on_behalf_of: str | None
    ) -> Principal:
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or token not in self.principals:
            raise UnauthenticatedError
        principal = self.principals[token]
        if on_behalf_of is not None:
            principal.require(TokenScope.ON_BEHALF)
            behind = principal.actor
            principal = replace(principal, actor=on_behalf_of, behind=behind)
        return principal

    @asynccontextmanager
    async def opened(self, service: Service, settings: Settings) -> AsyncIterator[Tokens]:
        yield self


@dataclass(frozen=True, slots=True)
class Api:
    """A server that runs, and tokens for it.

    Attributes:
        url: its address, without a slash at the end.
        workspace: the workspace with the sample.
        connection: its Neo4j.
    """

    url: str
    workspace: str
    connection: ConnectionConfig
    tokens: Tokens

    def token(
        self,
        actor: str | None = None,
        *scopes: TokenScope,
        workspace: str = "",
        expires: datetime | None = None,
    ) -> str:
        """A token for `actor`, an id or a name (None sees what is public); READ unless told."""
        workspace = workspace or self.workspace
        key = asyncio.run(self._actor_key(workspace, actor)) if actor else None
        token = secrets.token_urlsafe(24)
        self.tokens.principals[token] = Principal(
            workspace,
            key,
            frozenset(scopes or {TokenScope.READ}),
            token_id=secrets.token_hex(6),
            name="test",
            expires=expires,
        )
        return token

    def revoke(self, token: str) -> None:
        """Make the server refuse the token from now on."""
        del self.tokens.principals[token]

    def client(self, token: str | None = None, **headers: str) -> httpx.Client:
        """A client of the server that sends the token with everything."""
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return httpx.Client(base_url=self.url, headers=headers, timeout=60)

    def query(self, document: str, token: str | None = None, /, **variables: Any) -> dict[str, Any]:
        """The answer to one operation over HTTP, errors included."""
        with self.client(token) as client:
            body = {"query": document, "variables": variables}
            answer: dict[str, Any] = client.post("/graphql", json=body).json()
            return answer

    async def _actor_key(self, workspace: str, actor: str) -> str:
        async with await ForestStore.open(self.connection) as store:
            return (await LogStore(store).find_actor(workspace, actor)).key


@contextmanager
def serving(
    connection: ConnectionConfig, tokens: Tokens, workspace: str, **settings: Any
) -> Iterator[Api]:
    """A server over `connection` with the quick encoder; `settings` as in `Settings`."""
    configured = Settings(encoder="hashing", serve_port=0, workspace=workspace, **settings)
    config = ServeConfig(configured, Engine(connection, private=False), tokens.opened)
    started = threading.Event()
    server = Server(uvicorn_config(create_app(config), configured), lambda _: started.set())
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not started.wait(0.1):
            assert thread.is_alive(), "The server ended at its start; its log says why."
        yield Api(server.url, workspace, connection, tokens)
    finally:
        server.should_exit = True
        thread.join(30)
