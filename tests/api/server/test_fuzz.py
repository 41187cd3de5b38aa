"""Drawn documents, as several people: no crash, no hang, and nothing of another audience."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest

from egcforest.api.access.principal import TokenScope
from egcforest.api.graphql.schema import build_schema
from egcforest.graph.connection import open_driver
from egcforest.graph.store import ForestStore
from tests.api.access.transports import Reply, send
from tests.api.conftest import ROOT
from tests.api.server.fuzzing import Drawing
from tests.api.serving import Api, own_workspace

CHECKS = Path(__file__).with_name("schemathesis_checks.py")
OPERATIONS = 120
LONGEST_S = 20.0
PEOPLE = (None, "U07A1PMAR3", "U07A2STOB1")
# Too short to be told from what everybody may say.
SHORTEST = 25


@dataclass(frozen=True, slots=True)
class Hidden:
    """What one person must not see, and what is worth asking for."""

    texts: tuple[str, ...]
    names: tuple[str, ...]
    keys: tuple[str, ...]


async def read(api: Api, cypher: str, **params: Any) -> list[Any]:
    driver = await open_driver(api.connection)
    async with driver, driver.session() as session:
        result = await session.run(cypher, params)
        return [record.values() async for record in result]


async def hidden_from(api: Api, actor: str | None) -> Hidden:
    """Texts, names and keys of the private channels and conversations of which `actor` is no
    member; read past the service, straight from the graph."""
    channels = await read(
        api,
        """
        MATCH (c:Channel {workspace: $workspace}) WHERE c.audience <> 'public'
        RETURN c.key, c.audience, c.name, [(a:Actor)-[:MEMBER_OF]->(c) | a.source_id]
        """,
        workspace=api.workspace,
    )
    hidden = [row for row in channels if actor not in row[3]]
    closed = {key: name for key, _, name, _ in hidden}
    messages = await read(
        api,
        "MATCH (m:Message)-[:IN]->(c:Channel) WHERE c.key IN $keys RETURN m.key, m.text",
        keys=list(closed),
    )
    nodes = await read(
        api,
        """
        MATCH (n:ForestNode {workspace: $workspace}) WHERE n.audience IN $audiences
        RETURN n.key, n.summary
        """,
        workspace=api.workspace,
        audiences=[audience for _, audience, _, _ in hidden],
    )
    texts = [text for _, text in (*messages, *nodes) if text and len(text) >= SHORTEST]
    return Hidden(
        tuple(dict.fromkeys(line for text in texts for line in pieces(text))),
        tuple(name for name in closed.values() if name),
        (*closed, *(key for key, _ in (*messages, *nodes))),
    )


def pieces(text: str) -> Iterator[str]:
    """The text as JSON would write it, and its long lines: a part of it is a leak too."""
    for line in text.splitlines():
        if len(line) >= SHORTEST and line.isascii() and '"' not in line and "\\" not in line:
            yield line


def sent(
    api: Api, client: httpx.Client, token: str, document: str, number: int
) -> tuple[Reply, float]:
    """Send a document, every fourth by another way in; what came back, and after how long."""
    began = time.monotonic()
    if number % 4 == 1:
        reply = send(("events", "socket")[number // 4 % 2], api.url, document, token)
        assert reply.refused in (0, 400, 4400), (reply.refused, document)
    else:
        answer = client.post("/graphql", json={"query": document})
        assert answer.status_code in (200, 400), (answer.status_code, document)
        reply = Reply(0, [answer.json()], answer.text)
    return reply, time.monotonic() - began


@pytest.mark.parametrize("actor", PEOPLE)
async def test_drawn_documents_do_no_harm_and_leak_nothing(api: Api, actor: str | None) -> None:
    hidden = await hidden_from(api, actor)
    assert len(hidden.texts) > 5, "without canaries this test would prove nothing"
    open_keys = await read(
        api,
        """
        MATCH (x:Channel|Actor|Artifact|Tree|ForestNode|Message)
        WHERE x.workspace = $workspace
        RETURN x.key ORDER BY rand() LIMIT 150
        """,
        workspace=api.workspace,
    )
    keys = [key for (key,) in open_keys] + list(hidden.keys[:150]) + ["no-such-key", ""]
    words = [*hidden.names, "the release", "buffer", *(text[:40] for text in hidden.texts[:40])]
    drawing = Drawing(build_schema().core, PEOPLE.index(actor), keys, words)
    reached = 0
    token = api.token(actor)
    with api.client(token) as client:
        for number in range(OPERATIONS):
            document = drawing.broken() if number % 4 == 3 else drawing.valid()
            reply, seconds = sent(api, client, token, document, number)
            assert seconds < LONGEST_S, document
            assert "INTERNAL" not in reply.codes, (document, reply.raw)
            reached += bool(reply.data)
            for text in hidden.texts:
                assert text not in reply.raw or text in document, (text, document)
    assert reached > OPERATIONS / 8


@dataclass(frozen=True, slots=True)
class Own:
    """A workspace to write to.

    Attributes:
        token: for everything in it.
        jobs: of uploads that wait for their file.
        canaries: texts of another workspace, in whatever audience.
    """

    workspace: str
    token: str
    jobs: tuple[str, ...]
    canaries: tuple[str, ...]


@pytest.fixture
async def own(api: Api, store: ForestStore) -> AsyncIterator[Own]:
    """One with a few messages."""
    async with own_workspace(store) as name:
        token = api.token(None, TokenScope.ADMIN, workspace=name)
        said = [
            {"channel": "port", "id": str(n), "time": f"2026-03-02T09:{n:02}:00Z", "author": "u1"}
            | {"text": f"OPS-{n} is why the dredger waits for OPS-{n + 1}."}
            for n in range(10)
        ]
        body = {"messages": said, "waitSeconds": 28}
        job = api.query(APPEND, token, input=body)["data"]["appendMessages"]
        assert job["state"] == "DONE"
        jobs = [
            api.query(START, token, input=announced(size))["data"]["startUpload"]["job"]["id"]
            for size in (10, 10, 1000)
        ]
        rows = await read(
            api,
            "MATCH (m:Message {workspace: $workspace}) RETURN m.text",
            workspace=api.workspace,
        )
        texts = [line for (text,) in rows for line in pieces(text or "")]
        yield Own(name, token, tuple(jobs), tuple(dict.fromkeys(texts)))


APPEND = "mutation ($input: AppendMessagesInput!) { appendMessages(input: $input) { id state } }"
START = "mutation ($input: StartUploadInput!) { startUpload(input: $input) { job { id } } }"


def announced(size: int) -> dict[str, Any]:
    return {"filename": "x.jsonl", "bytes": size, "sha256": "0" * 64}


WRITTEN = 80


async def test_drawn_mutations_do_no_harm_and_leak_nothing(api: Api, own: Own) -> None:
    """What may be written is written, into a workspace of the test's own."""
    keys = await read(
        api,
        """
        MATCH (x:Channel|Actor|Artifact|Tree|ForestNode|Message|Job)
        WHERE x.workspace IN $workspaces
        RETURN x.key ORDER BY x.workspace = $own DESC, rand() LIMIT 150
        """,
        workspaces=[api.workspace, own.workspace],
        own=own.workspace,
    )
    before = await written(api)
    asked = [key for (key,) in keys] + ["no-such-key", "port", "c-new"]
    words = ["port", "u1", "x.jsonl", "2026-03-02T09:00:00Z", "0" * 64, *own.canaries[:20]]
    drawing = Drawing(
        build_schema().core, 7, asked, words, mutations=0.7, always=("waitSeconds", "input")
    )
    reached, forbidden = 0, 0
    with api.client(own.token) as client:
        for number in range(WRITTEN):
            document = drawing.broken() if number % 4 == 3 else drawing.valid()
            reply, seconds = sent(api, client, own.token, document, number)
            assert seconds < LONGEST_S, document
            assert "INTERNAL" not in reply.codes, (document, reply.raw)
            reached += bool(reply.data)
            forbidden += "FORBIDDEN" in reply.codes
            for text in own.canaries:
                assert text not in reply.raw or text in document, (text, document)
    assert reached > WRITTEN / 20
    assert not forbidden, "then nothing is tried behind the permission"
    assert await written(api) == before


async def written(api: Api) -> list[Any]:
    """How much there is in the shared workspace."""
    return await read(
        api,
        """
        MATCH (x {workspace: $workspace}) WHERE NOT x:AccessToken
        RETURN labels(x) AS kind, count(*) ORDER BY kind
        """,
        workspace=api.workspace,
    )


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "too little": b"x",
    "as much as announced, but other": b"0123456789",
    "too much": b"x" * 5000,
    "NUL": b"\0" * 10,
}
HEADERS: dict[str, dict[str, str]] = {
    "none": {},
    "an encoding": {"Content-Encoding": "gzip"},
    "an encoding that is none": {"Content-Encoding": ", ,"},
    "a range": {"Content-Range": "bytes 5-9/10", "Range": "bytes=5-"},
    "a type": {"Content-Type": "multipart/form-data; boundary=" + "-" * 500},
    "another method": {"X-HTTP-Method-Override": "DELETE", "Expect": "100-continue"},
}


def test_odd_uploads_do_no_harm(api: Api, own: Own) -> None:
    known = [job.rpartition("/")[2] for job in own.jobs]
    names = [*known, own.jobs[0].replace("/", "%2F"), "0" * 32, "..%2F..%2Fetc", "%00", "a" * 4000]
    reader = api.token()
    with api.client(own.token) as client:
        for number, (name, body, headers) in enumerate(product(names, BODIES, HEADERS)):
            # The pieces of a stream come without a length.
            content = iter([BODIES[body]]) if number % 3 == 0 else BODIES[body]
            began = time.monotonic()
            answer = client.put(f"/uploads/{name}", content=content, headers=HEADERS[headers])
            case = (name, body, headers)
            assert time.monotonic() - began < LONGEST_S, case
            assert 400 <= answer.status_code < 500, (case, answer.status_code)
            if answer.headers["content-type"] == "application/json":
                (error,) = answer.json()["errors"]
                assert error["extensions"]["code"] != "INTERNAL", case
            if body == "too little":
                headers = {"Authorization": f"Bearer {reader}"}
                assert client.put(f"/uploads/{name}", content=b"x", headers=headers).is_client_error
        for job in own.jobs:
            state = api.query(
                "query ($id: ID!) { ingestJob(id: $id) { state } }", own.token, id=job
            )
            assert state["data"]["ingestJob"]["state"] == "WAITING"


@pytest.mark.parametrize("who", ["a reader", "who may do everything"])
async def test_schemathesis_finds_no_server_error_and_no_leak(
    api: Api, own: Own, tmp_path: Path, who: str
) -> None:
    reads = who == "a reader"
    reader = PEOPLE[1]
    canaries = (await hidden_from(api, reader)).texts if reads else own.canaries
    listed = tmp_path / "canaries.json"
    listed.write_text(json.dumps(canaries), "utf-8")
    token = api.token(reader) if reads else own.token
    await asyncio.to_thread(run_schemathesis, api, token, listed, 25 if reads else 15)


def run_schemathesis(api: Api, token: str, canaries: Path, seconds: int) -> None:
    executable = Path(sys.executable).with_name("schemathesis")
    done = subprocess.run(
        [
            str(executable),
            "run",
            str(ROOT / "docs" / "schema.graphql"),
            f"--url={api.url}/graphql",
            f"--header=Authorization: Bearer {token}",
            "--checks=no_crash,no_leak",
            "--max-examples=15",
            f"--max-time={seconds}",
            "--generation-deterministic",
            "--suppress-health-check=all",
            "--no-color",
        ],
        cwd=canaries.parent,
        env=os.environ
        | {
            "PYTHONWARNINGS": "ignore",
            "SCHEMATHESIS_HOOKS": str(CHECKS),
            "EGCFOREST_TEST_CANARIES": str(canaries),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
