"""The event loop while questions are asked and an upload is ingested: nobody holds it.

Time on the wall depends on the machine. So what is compared is the processor's time that one piece
of work takes on a loop's thread, and where the retriever and the encoder run.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from egcforest.api import asking
from egcforest.api.access.principal import TokenScope
from egcforest.api.server import lag
from egcforest.api.server.lag import LagMonitor
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.store import ForestStore
from egcforest.retrieval.answer import Answer
from egcforest.retrieval.pipeline import Retriever
from egcforest.text.encoders.hashing import HashingEncoder
from tests.api.jobs.conftest import ONE, START, announce, packed_sample
from tests.api.serving import Api, own_workspace, serving

CLIENTS, QUESTIONS = 8, 5
LONGEST_S = 1.0
EVIDENCE = """query ($question: String!) { evidence(question: $question) {
  items { text message { author { name } } } } }"""


class Watch:
    """What the loops of this process did: how long each piece of work held one, and where
    questions were answered and texts encoded."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pieces = 0
        self.longest_s = 0.0
        self.encoded = 0
        self.encoded_on_a_loop = 0
        self.answered_on: set[str] = set()
        self.monitors: list[LagMonitor] = []
        run, encode, made = asyncio.Handle._run, HashingEncoder._encode, LagMonitor.__init__
        ask = Retriever.ask

        def timed(handle: asyncio.Handle) -> None:
            began = time.thread_time()
            run(handle)
            if threading.current_thread() is not threading.main_thread():
                self.pieces += 1
                self.longest_s = max(self.longest_s, time.thread_time() - began)

        def seen(encoder: HashingEncoder, texts: list[str]) -> Any:
            self.encoded += len(texts)
            self.encoded_on_a_loop += asyncio._get_running_loop() is not None
            return encode(encoder, texts)

        def noted(monitor: LagMonitor, *given: Any) -> None:
            made(monitor, *given)
            self.monitors.append(monitor)

        async def placed(retriever: Retriever, *given: Any, **named: Any) -> Answer:
            self.answered_on.add(threading.current_thread().name)
            return await ask(retriever, *given, **named)

        monkeypatch.setattr(Retriever, "ask", placed)
        monkeypatch.setattr(asyncio.Handle, "_run", timed)
        monkeypatch.setattr(HashingEncoder, "_encode", seen)
        monkeypatch.setattr(lag.LagMonitor, "__init__", noted)


@pytest.fixture
async def workspace(store: ForestStore) -> AsyncIterator[str]:
    async with own_workspace(store) as name:
        yield name


def test_nothing_holds_the_loop_while_an_upload_is_ingested(
    api: Api, connection: ConnectionConfig, workspace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = packed_sample()
    watch = Watch(monkeypatch)
    with serving(connection, api.workspace) as served:
        reader = served.token("U07A1PMAR3")
        writer = served.token(None, TokenScope.ADMIN, workspace=workspace)
        given = announce(content, "export.zip")
        started = served.query(START, writer, input=given)["data"]["startUpload"]

        def ask(number: int) -> None:
            with served.client(reader) as client:
                for again in range(QUESTIONS):
                    variables = {"question": f"What of INC-{number + 8 * again} and the buffer?"}
                    body = {"query": EVIDENCE, "variables": variables}
                    answer = client.post("/graphql", content=json.dumps(body), headers=TYPE).json()
                    assert answer["data"]["evidence"]["items"], answer

        def put() -> int:
            with served.client(writer) as client:
                return client.put(started["upload"]["url"], content=content).status_code

        with ThreadPoolExecutor(CLIENTS + 1) as threads:
            sent = threads.submit(put)
            for asked in [threads.submit(ask, number) for number in range(CLIENTS)]:
                asked.result()
            assert sent.result() == 200
        # It is beside the loop still, or has ended; it cannot have failed.
        job = served.query(ONE, writer, id=started["job"]["id"])["data"]["ingestJob"]
        assert job["state"] in ("QUEUED", "RUNNING", "DONE")
    assert watch.encoded >= CLIENTS * QUESTIONS
    assert not watch.encoded_on_a_loop
    assert watch.answered_on == {asking.THREAD}
    assert watch.pieces > CLIENTS * QUESTIONS
    assert watch.longest_s < LONGEST_S
    # On the wall, most of the time: a bound that only what hangs would reach.
    (monitor,) = watch.monitors
    assert 0 < monitor.quantile_ms(0.9) < LONGEST_S * 1000


TYPE = {"Content-Type": "application/json"}


async def test_the_watch_sees_what_holds_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch)

    async def busy() -> None:
        began = time.thread_time()
        while time.thread_time() - began < 0.2:
            pass
        HashingEncoder().encode_query("a word")

    await asyncio.to_thread(lambda: asyncio.run(busy()))
    assert watch.longest_s >= 0.2
    assert watch.encoded_on_a_loop == 1
