"""A real server on a free port for tests: uvicorn in a thread with an event loop of its own."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import httpx

from egcforest.api.access.authenticate import Authenticator
from egcforest.api.access.issue import issue_token
from egcforest.api.access.oidc import OidcConfig
from egcforest.api.access.principal import TokenScope
from egcforest.api.access.rate import FailureLimit
from egcforest.api.access.tokens import ApiKey
from egcforest.api.engine import Engine
from egcforest.api.server.app import create_app
from egcforest.api.server.lifespan import ServeConfig
from egcforest.api.server.run import Server, uvicorn_config
from egcforest.api.service import Service
from egcforest.api.settings import Settings
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from egcforest.graph.token_store import TokenStore

T = TypeVar("T")


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

    def token(
        self,
        actor: str | None = None,
        *scopes: TokenScope,
        workspace: str = "",
        lifetime: timedelta | None = timedelta(hours=1),
    ) -> str:
        """A token for `actor`, an id or a name (None sees what is public); READ unless told."""

        async def issue() -> str:
            async with await ForestStore.open(self.connection) as store:
                key, _ = await issue_token(
                    store,
                    workspace or self.workspace,
                    scopes=scopes or (TokenScope.READ,),
                    actor=actor,
                    lifetime=lifetime,
                )
                return key.text

        return _run(issue())

    def revoke(self, token: str) -> None:
        """Make the server refuse the token from now on."""

        async def revoke() -> None:
            key = ApiKey.parse(token)
            assert key is not None
            async with await ForestStore.open(self.connection) as store:
                await TokenStore(store).revoke(key.token_id, datetime.now(UTC))

        _run(revoke())

    def client(self, token: str | None = None, **headers: str) -> httpx.Client:
        """A client of the server that sends the token with everything."""
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return httpx.Client(base_url=self.url, headers=headers, timeout=60)

    def query(self, document: str, token: str | None = None, /, **variables: Any) -> Any:
        """The answer to one operation over HTTP, errors included."""
        with self.client(token) as client:
            body = {"query": document, "variables": variables}
            return client.post("/graphql", json=body).json()


@contextmanager
def serving(connection: ConnectionConfig, workspace: str, **settings: Any) -> Iterator[Api]:
    """A server over `connection` with the quick encoder; `settings` as in `Settings`.

    It believes what it knows of a token for no time, so that a revoked one is refused at once.
    """
    with TemporaryDirectory(prefix="egcforest-test-uploads-") as uploads:
        quick = {"encoder": "hashing", "serve_port": 0, "serve_upload_dir": uploads}
        with _serving(
            connection, workspace, Settings(workspace=workspace, **quick | settings)
        ) as api:
            yield api


@contextmanager
def _serving(connection: ConnectionConfig, workspace: str, configured: Settings) -> Iterator[Api]:
    config = ServeConfig(configured, Engine(connection, private=False), _authenticator)
    started = threading.Event()
    server = Server(uvicorn_config(create_app(config), configured), lambda _: started.set())
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not started.wait(0.1):
            assert thread.is_alive(), "The server ended at its start; its log says why."
        yield Api(server.url, workspace, connection)
    finally:
        server.should_exit = True
        thread.join(30)


@asynccontextmanager
async def _authenticator(service: Service, settings: Settings) -> AsyncIterator[Authenticator]:
    authenticator = Authenticator(
        service.store, OidcConfig.of(settings), cache_s=0, failures=FailureLimit(100_000)
    )
    try:
        yield authenticator
    finally:
        await authenticator.close()


@asynccontextmanager
async def own_workspace(store: ForestStore) -> AsyncIterator[str]:
    """The name of a workspace that the log knows, with nothing in it; it is wiped in the end."""
    name = f"o{uuid.uuid4().hex[:12]}"
    await LogStore(store).upsert_workspace(name)
    try:
        yield name
    finally:
        await LogStore(store).wipe(name)


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` on a loop of its own, in a thread: a test may be on a loop already."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, work).result()


@dataclass(frozen=True, slots=True)
class ServeProcess:
    """`egcforest serve` in a process of its own.

    Attributes:
        process: it; its logs go to `log`.
        log: path of a file with a JSON object on each line.
        url: its address.
    """

    process: subprocess.Popen[bytes]
    log: Path
    url: str

    def lines(self) -> list[dict[str, Any]]:
        """What was logged so far."""
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines() if line]

    def stop(self, timeout_s: float = 60) -> int:
        """Send SIGTERM and wait; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout_s)


@contextmanager
def serve_process(
    command: Sequence[str], environment: dict[str, str], log: Path
) -> Iterator[ServeProcess]:
    """Run `command`, an `egcforest serve --port 0 ...`; it is killed in the end."""
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command, env=environment, cwd=log.parent, stdin=subprocess.DEVNULL, stderr=stream
        )
    try:
        yield ServeProcess(process, log, _served_url(process, log))
    finally:
        process.kill()
        process.wait(30)


def _served_url(process: subprocess.Popen[bytes], log: Path) -> str:
    for _ in range(1200):
        for line in log.read_text("utf-8").splitlines():
            if line.startswith("{") and (url := json.loads(line).get("url")):
                return str(url)
        assert process.poll() is None, log.read_text("utf-8")
        time.sleep(0.1)
    raise AssertionError("The server did not start.")
