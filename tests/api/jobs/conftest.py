"""A service with a worker, workspaces of each test alone, and what to do with its jobs."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import time
import uuid
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from egcforest.api.access.principal import TokenScope
from egcforest.builders.pipeline import ingest
from egcforest.builders.sources import open_source
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.fingerprint import fingerprint
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from egcforest.text.encoders.hashing import HashingEncoder
from tests.api.serving import Api, serving

ROOT = Path(__file__).resolve().parents[3]
EXPORT = ROOT / "examples" / "workspace"

JOB = """{ id kind state attempt cancelRequested filename bytes startedAt finishedAt
  progress { stage done total } counts { read added unchanged superseded rejected }
  rejectionsTotal rejections { place reason remedy } error { message remedy } }"""
START = f"""mutation ($input: StartUploadInput!) {{ startUpload(input: $input) {{
  job {JOB} upload {{ url method headers {{ name value }} expiresAt }} }} }}"""
APPEND = f"mutation ($input: AppendMessagesInput!) {{ appendMessages(input: $input) {JOB} }}"
REBUILD = f"mutation ($input: RebuildInput) {{ rebuild(input: $input) {JOB} }}"
ONE = f"query ($id: ID!) {{ ingestJob(id: $id) {JOB} }}"
CANCEL = f"mutation ($id: ID!) {{ cancelJob(id: $id) {JOB} }}"
RETRY = f"mutation ($id: ID!) {{ retryJob(id: $id) {JOB} }}"
FOLLOW = f"subscription ($id: ID!) {{ ingestJobProgress(id: $id) {JOB} }}"


@dataclass(frozen=True, slots=True)
class Desk:
    """Somebody who brings messages into one workspace of a service."""

    url: str
    workspace: str
    token: str

    def ask(self, document: str, **variables: Any) -> Any:
        """The whole answer, errors included."""
        with self.client() as client:
            body = json.dumps({"query": document, "variables": variables})
            headers = {"Content-Type": "application/json"}
            return client.post("/graphql", content=body, headers=headers).json()

    def client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=120)

    def one(self, document: str, **variables: Any) -> Any:
        """The only field of an answer that has to be one."""
        answer = self.ask(document, **variables)
        assert "errors" not in answer, answer
        (found,) = answer["data"].values()
        return found

    def error(self, document: str, **variables: Any) -> Any:
        """The only error of an answer that has to have one."""
        (error,) = self.ask(document, **variables)["errors"]
        return error | error["extensions"]

    def start(self, content: bytes, filename: str = "export.zip", **more: Any) -> Any:
        return self.one(START, input=announce(content, filename) | more)

    def put(self, started: Any, content: bytes | Iterator[bytes], **headers: str) -> httpx.Response:
        with self.client() as client:
            return client.put(started["upload"]["url"], content=content, headers=headers)

    def upload(self, content: bytes, filename: str = "export.zip", **more: Any) -> Any:
        """The job of a file that was sent."""
        started = self.start(content, filename, **more)
        response = self.put(started, content)
        assert response.status_code == 200, response.text
        return started["job"]

    def append(self, *messages: Any, **more: Any) -> Any:
        return self.one(APPEND, input={"messages": messages, "waitSeconds": 28} | more)

    def ended(self, job: Any) -> Any:
        """The job once it has ended, as its subscription over server-sent events tells."""
        return self.followed(job)[-1]

    def followed(self, job: Any) -> list[Any]:
        """Every state of the job, to its end."""
        results = list(self.stream(FOLLOW, id=job["id"]))
        assert not [result for result in results if "errors" in result], results
        return [result["data"]["ingestJobProgress"] for result in results]

    def stream_error(self, document: str, **variables: Any) -> Any:
        """The error that a stream ends with."""
        return list(self.stream(document, **variables))[-1]["errors"][0]

    def stream(self, document: str, **variables: Any) -> Iterator[Any]:
        """The results of a subscription over server-sent events."""
        body = {"query": document, "variables": variables}
        accept = {"Accept": "text/event-stream"}
        with (
            self.client() as client,
            client.stream("POST", "/graphql", json=body, headers=accept) as response,
        ):
            for line in response.iter_lines():
                if line.startswith("data: {"):
                    yield json.loads(line.removeprefix("data: "))


async def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until it does; fail if it never does."""
    end = time.monotonic() + seconds
    while not await asyncio.to_thread(holds):
        assert time.monotonic() < end, "It never came."
        await asyncio.sleep(0.05)


def announce(content: bytes, filename: str) -> dict[str, Any]:
    sha256 = hashlib.sha256(content).hexdigest()
    return {"filename": filename, "bytes": len(content), "sha256": sha256}


def packed_sample() -> bytes:
    """The sample workspace as Slack would pack it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as package:
        for file in sorted(EXPORT.rglob("*.json")):
            package.write(file, file.relative_to(EXPORT).as_posix())
    return packed.getvalue()


def said(channel: str, id_: str, minute: int, author: str, text: str, **more: Any) -> Any:
    time = f"2026-03-02T{9 + minute // 60:02}:{minute % 60:02}:00Z"
    return {"channel": channel, "id": id_, "time": time, "author": author, "text": text, **more}


@pytest.fixture(scope="session")
def export() -> bytes:
    """The sample workspace as Slack would pack it."""
    return packed_sample()


@pytest.fixture(scope="session")
def uploads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The upload folder of the service."""
    return tmp_path_factory.mktemp("uploads")


@pytest.fixture(scope="session")
def jobs_api(connection: ConnectionConfig, store: ForestStore, uploads: Path) -> Iterator[Api]:
    """The service; each test brings its own workspaces."""
    with serving(
        connection, "", serve_upload_dir=uploads, serve_rate_per_minute=100_000
    ) as running:
        yield running


@pytest.fixture
async def workspaces(store: ForestStore) -> AsyncIterator[Callable[[], str]]:
    """Makes workspaces that are wiped after the test."""
    made: list[str] = []

    def make() -> str:
        made.append(f"j{uuid.uuid4().hex[:12]}")
        return made[-1]

    yield make
    for name in made:
        await LogStore(store).wipe(name)


@pytest.fixture
async def desk(
    jobs_api: Api, store: ForestStore, workspaces: Callable[[], str]
) -> Callable[..., Any]:
    """Makes desks at new workspaces, or with `at` at one that is there."""

    async def make(*scopes: TokenScope, at: str = "", actor: str | None = None) -> Desk:
        name = at or workspaces()
        await LogStore(store).upsert_workspace(name)
        held = scopes or (TokenScope.INGEST,)
        return Desk(jobs_api.url, name, jobs_api.token(actor, *held, workspace=name))

    return make


@pytest.fixture(scope="session")
async def plain(store: ForestStore) -> str:
    """The fingerprint of a plain ingest of the sample."""
    return await plain_ingest(store, EXPORT)


async def plain_ingest(store: ForestStore, path: Path) -> str:
    name = f"j{uuid.uuid4().hex[:12]}"
    await ingest(open_source(path), name, store, HashingEncoder())
    found = await fingerprint(store, name)
    await LogStore(store).wipe(name)
    return found
