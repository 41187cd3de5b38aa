"""Uploads over HTTP: from the announcement to messages that can be searched."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from egcforest.api.access.principal import TokenScope
from egcforest.graph.fingerprint import fingerprint
from egcforest.graph.store import ForestStore
from tests.api.jobs.conftest import (
    CANCEL,
    FOLLOW,
    ONE,
    REBUILD,
    RETRY,
    START,
    Desk,
    announce,
    said,
    until,
)
from tests.api.serving import Api

pytestmark = pytest.mark.timeout(180)

MakeDesk = Callable[..., Any]
PAGE = """query ($first: Int!, $after: String, $state: IngestJobState) {
  ingestJobs(first: $first, after: $after, state: $state) {
    nodes { id state } pageInfo { hasNextPage endCursor } } }"""


def packed(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in files.items():
            package.writestr(name, data)
    return content.getvalue()


def lines(*records: Any) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def small(text: str = "hello") -> bytes:
    return lines(said("c1", "1", 0, "u1", text))


def left(uploads: Path, workspace: str) -> list[str]:
    return [file.name for file in (uploads / workspace).glob("*")]


async def test_an_upload_ends_as_a_plain_ingest_and_again_it_adds_nothing(
    desk: MakeDesk, store: ForestStore, export: bytes, plain: str, uploads: Path
):
    at: Desk = await desk()
    job = at.upload(export, "Tidewater export.zip")
    states = at.followed(job)
    first, last = states[0], states[-1]
    assert (first["state"], last["state"]) == ("QUEUED", "DONE") or len(states) > 1
    assert last["filename"] == "Tidewater export.zip"
    assert last["bytes"] == len(export)
    assert last["counts"]["added"] > 400
    assert last["counts"]["read"] == sum(last["counts"].values()) - last["counts"]["read"]
    assert await fingerprint(store, at.workspace) == plain
    assert left(uploads, at.workspace) == []
    again = at.ended(at.upload(export))
    assert (again["counts"]["added"], again["counts"]["superseded"]) == (0, 0)
    assert await fingerprint(store, at.workspace) == plain


async def test_uploads_at_once(desk: MakeDesk, store: ForestStore, uploads: Path):
    one: Desk = await desk()
    beside: Desk = await desk()
    halves = [
        lines(*(said(f"c{n % 3}", str(n), n, f"u{n % 4}", f"Crate {n} is here") for n in numbers))
        for numbers in (range(60), range(40, 100))
    ]
    jobs = [
        at.upload(half, f"half{n}.jsonl") for at in (one, beside) for n, half in enumerate(halves)
    ]
    ended = [at.ended(job) for at, job in zip((one, one, beside, beside), jobs, strict=True)]
    assert [job["state"] for job in ended] == ["DONE"] * 4
    # The overlap of the halves is there once, whichever came first.
    assert sum(job["counts"]["added"] for job in ended[:2]) == 100
    assert sum(job["counts"]["unchanged"] for job in ended[:2]) == 20
    assert await fingerprint(store, one.workspace) == await fingerprint(store, beside.workspace)


async def test_packed_jsonl_and_what_is_rejected_of_it(desk: MakeDesk):
    at: Desk = await desk()
    content = gzip.compress(small() + b"nonsense\n" + small("again"))
    job = at.ended(at.upload(content, "chat.ndjson.gz"))
    assert (job["state"], job["counts"]["added"], job["rejectionsTotal"]) == ("DONE", 1, 1)
    assert job["rejections"][0]["place"] == "chat.ndjson.gz line 2"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"general/2024-01-02.json": b"[" + b" " * 30_000_000 + b"]"}, "zip bomb"),
        ({"inner.zip": packed({"general/2024-01-02.json": b"[]"})}, "another archive: inner.zip"),
        ({"n" * 3000 + ".json": b"[]"}, "has 3,005 bytes"),
        ({"readme.txt": b"hello"}, "holds no Slack export"),
    ],
)
async def test_a_hostile_file_fails_its_job_with_the_reason(
    desk: MakeDesk, files: dict[str, bytes], words: str, uploads: Path
):
    at: Desk = await desk()
    content = packed(files)
    job = at.ended(at.upload(content, "export.zip"))
    assert job["state"] == "FAILED"
    assert words in job["error"]["message"]
    assert job["error"]["remedy"]
    assert str(uploads) not in str(job)
    # It is kept, so that the job can be retried where the operator has raised a limit.
    assert len(left(uploads, at.workspace)) == 1
    assert at.ended(at.one(RETRY, id=job["id"]))["error"] == job["error"]


async def test_what_arrives_has_to_be_what_was_announced(desk: MakeDesk, uploads: Path):
    at: Desk = await desk()
    content = small()
    started = at.start(content, "chat.jsonl")

    def refused(body: bytes | Iterator[bytes], status: int, code: str, **headers: str) -> Any:
        response = at.put(started, body, **headers)
        assert response.status_code == status, response.text
        (error,) = response.json()["errors"]
        assert error["extensions"]["code"] == code
        assert error["extensions"]["requestId"] == response.headers["x-request-id"]
        assert left(uploads, at.workspace) == []
        assert at.one(ONE, id=started["job"]["id"])["state"] == "WAITING"
        return error

    refused(content[:-1], 400, "BAD_INPUT")
    refused(iter([content[:-1]]), 400, "BAD_INPUT")
    refused(content[:-1] + b"x", 400, "BAD_INPUT")
    refused(iter([content, b"x"]), 413, "TOO_LARGE")
    refused(content, 415, "BAD_INPUT", **{"Content-Encoding": "gzip"})
    assert at.put(started, iter([content])).json()["state"] == "QUEUED"
    # The answer was lost: it is sent again.
    assert at.put(started, content).status_code == 200
    assert at.ended(started["job"])["counts"]["added"] == 1
    assert at.put(started, content).json()["state"] == "DONE"


async def test_nobody_else_can_send_the_file(desk: MakeDesk):
    at: Desk = await desk()
    content = small()
    started = at.start(content, "chat.jsonl")
    others = [
        await desk(at=at.workspace),
        await desk(TokenScope.ADMIN, at=at.workspace),
        await desk(),
    ]
    for other in others:
        response = other.put(started, content)
        assert (response.status_code, response.json()["errors"][0]["extensions"]["code"]) == (
            404, "NOT_FOUND",
        )  # fmt: skip
    nowhere = {"upload": {"url": "/uploads/" + "0" * 32}}
    there, not_there = (others[0].put(up, content).json() for up in (started, nowhere))
    assert there["errors"][0]["message"] == not_there["errors"][0]["message"]
    reader: Desk = await desk(TokenScope.READ, at=at.workspace)
    assert reader.put(started, content).status_code == 403
    nobody = Desk(at.url, at.workspace, "egcf_nothing")
    assert nobody.put(started, content).status_code == 401
    for name in ("..%2f..%2fetc%2fpasswd", "%2e%2e", "a" * 5000, "x%00"):
        assert at.put({"upload": {"url": f"/uploads/{name}"}}, content).status_code == 404
    assert at.put(started, content).status_code == 200


async def test_of_two_senders_the_second_is_told_to_wait(desk: MakeDesk, uploads: Path):
    at: Desk = await desk()
    content = small("x" * 300_000)
    started = at.start(content, "chat.jsonl")
    go_on = threading.Event()

    def slowly() -> Iterator[bytes]:
        yield content[:200_000]
        go_on.wait(30)
        yield content[200_000:]

    first = asyncio.create_task(asyncio.to_thread(at.put, started, slowly()))
    await until(lambda: bool(left(uploads, at.workspace)))
    (part,) = (uploads / at.workspace).glob("*")
    assert part.suffix == ".part"
    assert part.stat().st_mode & 0o777 == 0o600
    second = await asyncio.to_thread(at.put, started, content)
    assert second.status_code == 409
    go_on.set()
    assert (await first).status_code == 200


async def test_a_sender_who_breaks_off_leaves_nothing(desk: MakeDesk, uploads: Path):
    at: Desk = await desk()
    content = small("x" * 3_000_000)
    started = at.start(content, "chat.jsonl")

    def breaks_off() -> Iterator[bytes]:
        yield content[:2_000_000]
        raise ConnectionAbortedError

    with pytest.raises(ConnectionAbortedError):
        at.put(started, breaks_off())
    await until(lambda: not left(uploads, at.workspace))
    assert at.put(started, content).status_code == 200


async def test_cancelled_while_it_waits_and_while_it_runs(
    desk: MakeDesk, store: ForestStore, export: bytes, plain: str
):
    at: Desk = await desk()
    waiting = at.start(export)
    assert at.one(CANCEL, id=waiting["job"]["id"])["state"] == "CANCELLED"
    assert at.put(waiting, export).status_code == 409
    assert at.error(RETRY, id=waiting["job"]["id"])["code"] == "CONFLICT"
    job = at.upload(export)
    await until(lambda: at.one(ONE, id=job["id"])["state"] != "QUEUED")
    asked = at.one(CANCEL, id=job["id"])
    assert (asked["state"], asked["cancelRequested"]) == ("RUNNING", True)
    ended = at.ended(job)
    assert (ended["state"], ended["cancelRequested"]) == ("CANCELLED", False)
    assert at.one(CANCEL, id=job["id"]) == ended
    assert at.ended(at.one(RETRY, id=job["id"]))["state"] == "DONE"
    assert await fingerprint(store, at.workspace) == plain


async def test_a_rebuild_ends_in_the_same_forests(desk: MakeDesk, store: ForestStore):
    at: Desk = await desk(TokenScope.ADMIN)
    at.append(
        *(said(f"c{n % 2}", str(n), n, f"u{n % 3}", f"See OPS-{n % 5}") for n in range(40)),
        channels=[
            {"id": "c0", "name": "harbour"},
            {"id": "c9", "name": "secret", "kind": "PRIVATE"},
        ],
    )
    before = await fingerprint(store, at.workspace)
    assert at.ended(at.one(REBUILD))["state"] == "DONE"
    assert await fingerprint(store, at.workspace) == before
    for name in ("#Harbour", "c0", f"{at.workspace}/c/c0"):
        assert at.one(REBUILD, input={"channels": [name]})["kind"] == "REBUILD"
    job_request = {"channels": ["c0", "c1"], "clientRequestId": "r1"}
    job = at.one(REBUILD, input=job_request)
    assert at.one(REBUILD, input=job_request)["id"] == job["id"]
    assert at.ended(job)["state"] == "DONE"
    assert await fingerprint(store, at.workspace) == before
    hidden, missing = (
        at.error(REBUILD, input={"channels": [name]}) for name in ("secret", "nowhere")
    )
    assert hidden["code"] == missing["code"] == "NOT_FOUND"
    assert hidden["message"].replace("secret", "nowhere") == missing["message"]
    writer: Desk = await desk(at=at.workspace)
    assert writer.error(REBUILD)["code"] == "FORBIDDEN"


@pytest.mark.parametrize(
    ("given", "code", "argument"),
    [
        ({"filename": "export.tar"}, "BAD_INPUT", "filename"),
        ({"filename": "x" * 300 + ".zip"}, "BAD_INPUT", "filename"),
        ({"bytes": 0}, "BAD_INPUT", "bytes"),
        ({"bytes": -1}, "BAD_INPUT", "bytes"),
        ({"bytes": 2**53}, "BAD_INPUT", None),
        ({"bytes": 2**40}, "TOO_LARGE", "bytes"),
        ({"sha256": "00"}, "BAD_INPUT", "sha256"),
        ({"permalinkBase": "javascript:alert(1)"}, "BAD_INPUT", "permalinkBase"),
        ({"timeZone": "../../etc/passwd"}, "BAD_INPUT", "timezone"),
    ],
)
async def test_announcements_that_are_refused(
    desk: MakeDesk, given: Any, code: str, argument: str | None
):
    at: Desk = await desk()
    error = at.error(START, input=announce(b"x", "export.zip") | given)
    assert (error["code"], error.get("argument")) == (code, argument)


async def test_the_same_announcement_again_is_the_same_upload(desk: MakeDesk):
    at: Desk = await desk()
    content = small()
    first, again = (at.start(content, "a.jsonl", clientRequestId="u1") for _ in range(2))
    assert first["job"]["id"] == again["job"]["id"]
    assert first["upload"] == again["upload"]
    assert at.put(first, content).status_code == 200
    assert at.start(content, "a.jsonl", clientRequestId="u1")["upload"] is None


async def test_jobs_are_listed_page_by_page(desk: MakeDesk):
    at: Desk = await desk()
    made = [at.start(small(str(n)), "a.jsonl")["job"]["id"] for n in range(5)]
    at.one(CANCEL, id=made[1])
    seen: list[str] = []
    after = None
    while True:
        page = at.one(PAGE, first=2, after=after)
        seen += [job["id"] for job in page["nodes"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert seen == made[::-1]
    cancelled = at.one(PAGE, first=10, state="CANCELLED")
    assert [job["id"] for job in cancelled["nodes"]] == [made[1]]
    for bad in ("x", "AAAA", after[:-4]):
        assert at.error(PAGE, first=2, after=bad)["code"] == "BAD_INPUT"
    assert at.error(PAGE, first=101)["code"] == "BAD_INPUT"
    other: Desk = await desk(at=at.workspace)
    assert other.one(PAGE, first=10)["nodes"] == []
    assert other.error(CANCEL, id=made[0])["code"] == "NOT_FOUND"
    assert other.error(RETRY, id=made[1])["code"] == "NOT_FOUND"


async def test_progress_over_a_websocket_ends_with_the_job(desk: MakeDesk):
    at: Desk = await desk()
    content = small()
    started = at.start(content, "a.jsonl")
    with connect(
        at.url.replace("http", "ws") + "/graphql",
        subprotocols=[Subprotocol("graphql-transport-ws")],
        additional_headers={"Authorization": f"Bearer {at.token}"},
    ) as socket:
        socket.send(json.dumps({"type": "connection_init"}))
        assert json.loads(socket.recv())["type"] == "connection_ack"
        variables = {"id": started["job"]["id"]}
        payload = {"query": FOLLOW, "variables": variables}
        socket.send(json.dumps({"type": "subscribe", "id": "1", "payload": payload}))
        assert _state(socket.recv(timeout=10)) == "WAITING"
        at.put(started, content)
        states = []
        while (message := json.loads(socket.recv(timeout=60)))["type"] == "next":
            states.append(message["payload"]["data"]["ingestJobProgress"]["state"])
        assert message["type"] == "complete"
        assert states[-1] == "DONE"


async def test_a_stream_ends_when_its_token_is_revoked(desk: MakeDesk, jobs_api: Api):
    at: Desk = await desk()
    started = at.start(small(), "a.jsonl")
    found = []
    for result in at.stream(FOLLOW, id=started["job"]["id"]):
        found.append(result)
        if len(found) == 1:
            await asyncio.to_thread(jobs_api.revoke, at.token)
    assert found[0]["data"]["ingestJobProgress"]["state"] == "WAITING"
    assert found[-1]["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


async def test_a_job_of_somebody_else_is_not_followed(desk: MakeDesk):
    at: Desk = await desk()
    other: Desk = await desk(at=at.workspace)
    started = at.start(small(), "a.jsonl")
    refused, missing = (
        other.stream_error(FOLLOW, id=key) for key in (started["job"]["id"], "nothing")
    )
    assert refused["extensions"]["code"] == "NOT_FOUND"
    assert refused["message"] == missing["message"]
    # Without a stream there is no room for a stream's results.
    assert at.error(FOLLOW, id=started["job"]["id"])["code"] == "BAD_INPUT"


def _state(message: str | bytes) -> str:
    return str(json.loads(message)["payload"]["data"]["ingestJobProgress"]["state"])
