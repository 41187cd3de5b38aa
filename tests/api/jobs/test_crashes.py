"""Processes that are killed, and a database that goes away: nothing lost, nothing doubled.

The service is the installed command in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from egcforest.api.access.principal import TokenScope
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.fingerprint import fingerprint
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from tests.api.jobs.conftest import ONE, Desk, plain_ingest, said, until
from tests.api.serving import Api
from tests.bolt_proxy import BoltProxy, ThreadedProxy, proxy_in_thread

pytestmark = pytest.mark.timeout(300)

EXECUTABLE = Path(sys.executable).with_name("egcforest")
MESSAGES = 700
WORDS = ("ferry", "berth", "crane", "tariff", "pilot", "manifest", "quay", "customs")


@dataclass
class Service:
    """`egcforest serve`, to be started and killed."""

    connection: ConnectionConfig
    uploads: Path
    uri: str
    url: str = ""
    process: subprocess.Popen[str] | None = None
    said: list[str] = field(default_factory=list)

    def start(self) -> None:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("EGCFOREST_")}
        self.process = subprocess.Popen(
            [str(EXECUTABLE), "serve", "--port", "0"],
            env=kept
            | {
                "EGCFOREST_NEO4J_URI": self.uri,
                "EGCFOREST_NEO4J_USER": self.connection.user,
                "EGCFOREST_NEO4J_PASSWORD": self.connection.password,
                "EGCFOREST_ENCODER": "hashing",
                "EGCFOREST_SERVE_UPLOAD_DIR": str(self.uploads),
            },
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            if line.startswith("{") and (url := json.loads(line).get("url")):
                self.url = url
                break
        else:
            raise AssertionError("".join(self.said))
        threading.Thread(target=self._listen, args=(self.process.stderr,), daemon=True).start()

    def _listen(self, stream: Any) -> None:
        self.said.extend(stream)

    def worker(self) -> psutil.Process:
        """The worker, once there is one."""
        assert self.process is not None
        end = time.monotonic() + 60
        while True:
            for child in psutil.Process(self.process.pid).children():
                with suppress(psutil.Error):
                    if "egcforest.api.jobs.worker" in child.cmdline():
                        return child
            assert time.monotonic() < end, "".join(self.said)
            time.sleep(0.05)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def kill(self, number: int = signal.SIGKILL) -> int:
        """Send the signal to the server alone, and wait for its end."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(60)


@dataclass
class Harbour:
    """A service, and somebody with a workspace there."""

    service: Service
    desk: Desk

    def start(self) -> None:
        self.service.start()
        self.desk = Desk(self.service.url, self.desk.workspace, self.desk.token)

    def running(self, job: Any, stage: str = "", attempt: int = 1) -> bool:
        now = self.desk.one(ONE, id=job["id"])
        assert now["state"] in ("QUEUED", "RUNNING"), now
        stage_now = (now["progress"] or {}).get("stage", "")
        return now["state"] == "RUNNING" and now["attempt"] == attempt and stage in stage_now


@pytest.fixture(scope="module")
def proxy(connection: ConnectionConfig) -> Iterator[ThreadedProxy]:
    with proxy_in_thread(connection.uri) as made:
        yield made


@pytest.fixture(scope="module")
def service(
    connection: ConnectionConfig, proxy: ThreadedProxy, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """One service for all tests: each kills it and starts it again."""
    made = Service(connection, tmp_path_factory.mktemp("uploads"), f"bolt://{proxy.address}")
    yield made
    if made.is_running:
        made.kill(signal.SIGTERM)


@pytest.fixture
async def harbour(service: Service, store: ForestStore, workspaces: Callable[[], str]) -> Harbour:
    workspace = workspaces()
    await LogStore(store).upsert_workspace(workspace)
    token = Api("", workspace, service.connection).token(None, TokenScope.INGEST)
    made = Harbour(service, Desk(service.url, workspace, token))
    if not service.is_running:
        made.start()
    return made


@pytest.fixture(scope="session")
def talk() -> bytes:
    """Enough chat that there is time to kill somebody in between."""
    lines = [
        said(
            f"c{n % 11}",
            str(n),
            n % 840,
            f"u{n % 13}",
            f"{WORDS[n % 8]} {n}: OPS-{n % 97} waits for the {WORDS[n * 5 % 8]} of PR #{n % 41}",
            **({"thread": str(n - 11)} if n % 5 == 0 and n > 11 else {}),
        )
        for n in range(MESSAGES)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.fixture(scope="session")
async def expected(
    store: ForestStore, talk: bytes, tmp_path_factory: pytest.TempPathFactory
) -> str:
    path = tmp_path_factory.mktemp("talk") / "talk.jsonl"
    path.write_bytes(talk)
    return await plain_ingest(store, path)


async def finished(harbour: Harbour, store: ForestStore, job: Any, expected: str) -> Any:
    """The job is done, all of it is there once, and nothing is left over."""
    ended = await asyncio.to_thread(harbour.desk.ended, job)
    assert ended["state"] == "DONE", (ended, harbour.service.said)
    counts = ended["counts"]
    assert counts["added"] + counts["unchanged"] == counts["read"] == MESSAGES
    assert await fingerprint(store, harbour.desk.workspace) == expected
    await until(lambda: not list((harbour.service.uploads / harbour.desk.workspace).glob("*")))
    return ended


async def test_the_server_is_killed_in_the_midst_of_a_job(
    harbour: Harbour, store: ForestStore, talk: bytes, expected: str
):
    job = harbour.desk.upload(talk, "talk.jsonl")
    await until(lambda: harbour.running(job, "Growing"))
    worker = harbour.service.worker()
    harbour.service.kill()
    # What it was at is put down by its worker, which hears that it is gone.
    await until(lambda: not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE, 30)
    harbour.start()
    ended = await finished(harbour, store, job, expected)
    assert ended["attempt"] == 1


async def test_server_and_worker_are_killed_at_once(
    harbour: Harbour, store: ForestStore, talk: bytes, expected: str
):
    job = harbour.desk.upload(talk, "talk.jsonl")
    await until(lambda: harbour.running(job))
    worker = harbour.service.worker()
    worker.suspend()
    harbour.service.kill()
    worker.kill()
    harbour.start()
    assert (await finished(harbour, store, job, expected))["attempt"] == 2


async def test_the_worker_is_killed_twice(
    harbour: Harbour, store: ForestStore, talk: bytes, expected: str
):
    job = harbour.desk.upload(talk, "talk.jsonl")
    for attempt in (1, 2):
        await until(lambda number=attempt: harbour.running(job, attempt=number))
        harbour.service.worker().kill()
    assert (await finished(harbour, store, job, expected))["attempt"] == 3


async def test_the_server_is_stopped_and_puts_its_job_down(
    harbour: Harbour, store: ForestStore, talk: bytes, expected: str
):
    job = harbour.desk.upload(talk, "talk.jsonl")
    await until(lambda: harbour.running(job))
    began = time.monotonic()
    harbour.service.kill(signal.SIGTERM)
    assert time.monotonic() - began < 25
    rows = await store.run_autocommit(
        "MATCH (j:Job {key: $key}) MATCH (w:Workspace {key: j.workspace}) "
        "RETURN j.state AS state, j.attempt AS attempt, w.build_owner AS builder",
        {"key": job["id"]},
    )
    assert rows == [{"state": "queued", "attempt": 0, "builder": None}]
    harbour.start()
    assert (await finished(harbour, store, job, expected))["attempt"] == 1


async def test_the_server_is_killed_in_the_midst_of_the_bytes(
    harbour: Harbour, store: ForestStore, talk: bytes, expected: str
):
    started = harbour.desk.start(talk, "talk.jsonl")
    folder = harbour.service.uploads / harbour.desk.workspace

    def slowly() -> Iterator[bytes]:
        yield talk[: len(talk) // 2]
        end = time.monotonic() + 30
        while not list(folder.glob("*.part")):
            assert time.monotonic() < end
            time.sleep(0.05)
        harbour.service.kill()
        yield talk[len(talk) // 2 :]

    with pytest.raises(httpx.TransportError):
        await asyncio.to_thread(harbour.desk.put, started, slowly())
    harbour.start()
    assert harbour.desk.one(ONE, id=started["job"]["id"])["state"] == "WAITING"
    assert harbour.desk.put(started, talk).status_code == 200
    # What broke off is cleared away when it is certain that nobody writes to it any more.
    for part in folder.glob("*.part"):
        part.unlink()
    assert (await finished(harbour, store, started["job"], expected))["attempt"] == 1


async def test_the_database_goes_away_in_the_midst_of_a_job(
    harbour: Harbour, proxy: ThreadedProxy, store: ForestStore, talk: bytes, expected: str
):
    job = harbour.desk.upload(talk, "talk.jsonl")
    await until(lambda: harbour.running(job))
    proxy.do(BoltProxy.close_at_once)
    await asyncio.sleep(3)
    proxy.do(BoltProxy.restore)
    ended = await finished(harbour, store, job, expected)
    assert ended["error"] is None
