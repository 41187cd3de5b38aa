"""Every method that writes, over real HTTP, with a worker behind it; both clients."""

from __future__ import annotations

import gzip
import itertools
import json
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from egcforest.api.client import (
    BadInputError,
    ClientTimeoutError,
    JobFailedError,
    JobState,
    NewActor,
    NewChannel,
    NewFile,
    NewMessage,
    NotFoundError,
    TooLargeError,
    TransportError,
    UnauthenticatedError,
    UnexpectedAnswerError,
    UploadPhase,
    UploadProgress,
)
from tests.api.client.conftest import Connect
from tests.api.client.misbehaving import JOB, Misbehaving, cut, events, good, refuse, reply
from tests.api.serving import Api


@pytest.fixture
def client(connect: Connect, api: Api, desk: str) -> Any:
    return connect(api.url, desk)


def said(channel: str, number: int, text: str = "", **more: Any) -> dict[str, Any]:
    return {
        "channel": channel,
        "id": str(number),
        "time": f"2026-03-02T{9 + number // 60:02}:{number % 60:02}:00Z",
        "author": "u1",
        "text": text or f"Crate {number} has left the harbour.",
        **more,
    }


def test_appended_messages_can_be_searched(client: Any, kind: str) -> None:
    channel = f"append-{kind}"
    new = NewMessage(
        channel=channel,
        id="1",
        time=datetime(2026, 3, 2, 9, tzinfo=UTC),
        author="u1",
        text=f"The zeppelin of {kind} lands at noon.",
        files=[NewFile(title="Timetable", type="PDF")],
    )
    reply_to_it = said(channel, 2, "At which mast?", reply_to="1", thread=1, author="u2")
    job = client.messages.append(
        [new, reply_to_it],
        channels=[NewChannel(id=channel, name=channel, purpose="Airships")],
        actors=[NewActor(id="u1", name="Ana"), {"id": "u2", "name": "Bo", "title": "Mast keeper"}],
    )
    assert job.done
    assert (job.counts.added, job.counts.read) == (2, 2)
    (hit,) = client.search(f"zeppelin {kind}").take(1)
    found = client.message(hit.message.id)
    assert found.channel.purpose == "Airships"
    assert found.author.name == "Ana"
    assert [one.text for one in found.replies] == ["At which mast?"]
    assert client.evidence(f"When does the zeppelin of {kind} land?").items[0].message == found.id


def test_the_same_id_is_the_same_job(client: Any, kind: str) -> None:
    new = [said(f"same-{kind}", 1)]
    first = client.messages.append(new, client_request_id=f"mine-{kind}", wait=False)
    again = client.messages.append(new, client_request_id=f"mine-{kind}", wait=20)
    assert again.id == first.id
    assert again.done


def test_records_that_cannot_be_used_are_told(client: Any, kind: str) -> None:
    bad = said(f"bad-{kind}", 2) | {"time": "yesterday"}
    job = client.messages.append([said(f"bad-{kind}", 1), bad])
    assert (job.counts.added, job.counts.rejected) == (1, 1)
    assert "messages[1]" in job.rejections[0].place
    with pytest.raises(TooLargeError):
        client.messages.append([said("c", number) for number in range(1001)])
    with pytest.raises(BadInputError):
        client.messages.append([])
    with pytest.raises(BadInputError):
        client.messages.append([said("c", 1)], wait=-1)


def test_pages_are_stable_while_messages_arrive(client: Any, kind: str) -> None:
    order = {"sync": "oldest_first", "async": "newest_first"}[kind]
    channel = f"stable-{kind}"
    client.messages.append([said(channel, number) for number in range(12)])
    (found,) = client.channels(name_starts_with=channel).all()
    seen: list[str] = []
    for count, message in enumerate(client.messages.of(found.id, order=order, page_size=3)):
        seen.append(message.source_id)
        if count == 7:
            client.messages.append([said(channel, 100 + count)])
    assert len(set(seen)) == len(seen)
    assert {str(number) for number in range(12)} <= set(seen)


def test_an_upload_is_told_of_all_the_way(client: Any, kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"{kind}.jsonl.gz"
    lines = [said(f"upload-{kind}", number) for number in range(30)]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    told: list[UploadProgress] = []
    job = client.upload(path, wait=True, on_progress=told.append)
    assert job.done
    assert job.counts.added == 30
    assert job.filename == path.name
    phases = [phase for phase, _ in itertools.groupby(one.phase for one in told)]
    assert phases == [UploadPhase.HASHING, UploadPhase.SENDING, UploadPhase.INGESTING]
    sent = [one for one in told if one.phase is UploadPhase.SENDING]
    assert sent[-1].done == sent[-1].total == path.stat().st_size
    assert told[-1].job == job
    again = client.upload(path)
    assert again.state in set(JobState)
    assert client.jobs.wait(again).counts.unchanged == 30


def test_uploads_that_cannot_be(client: Any, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"gone\.zip"):
        client.upload(tmp_path / "gone.zip")
    with pytest.raises(BadInputError):
        client.upload(tmp_path)
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(BadInputError, match="empty"):
        client.upload(tmp_path / "empty.jsonl")
    (tmp_path / "x.zip").write_bytes(b"no zip at all")
    with pytest.raises(JobFailedError) as caught:
        client.upload(tmp_path / "x.zip", wait=True)
    failed = caught.value.job
    assert failed.state is JobState.FAILED
    assert caught.value.message == failed.error.message
    assert client.jobs.get(failed.id).error == failed.error
    assert failed.id in {one.id for one in client.jobs.list(state="failed", page_size=1)}
    assert client.jobs.retry(failed).state is not JobState.FAILED
    with pytest.raises(JobFailedError):
        client.jobs.wait(failed.id)


def test_rebuild_watch_and_cancel(client: Any, kind: str) -> None:
    client.messages.append([said(f"again-{kind}", number) for number in range(5)])
    states = list(client.jobs.watch(client.rebuild(f"again-{kind}")))
    assert states[-1].done
    assert len({one.id for one in states}) == 1
    assert all(one != two for one, two in itertools.pairwise(states))
    ended = client.jobs.cancel(states[-1])
    assert ended.done
    with pytest.raises(NotFoundError):
        client.rebuild(["no-such-channel"])
    for call in (client.jobs.get, client.jobs.cancel, client.jobs.retry, client.jobs.wait):
        with pytest.raises(NotFoundError):
            call("none")


# Against a server that misbehaves

STARTED = {
    "job": JOB | {"kind": "UPLOAD", "state": "WAITING"},
    "upload": {
        "url": "/uploads/1",
        "method": "PUT",
        "headers": [{"name": "Content-Type", "value": "application/octet-stream"}],
        "expiresAt": "2026-03-02T10:00:00Z",
    },
}
CONTENT = bytes(range(256)) * 10_000  # more than two pieces


def running(stage: str, state: str = "RUNNING") -> dict[str, Any]:
    progress = {"stage": stage, "done": 1, "total": None}
    return {"data": {"ingestJobProgress": JOB | {"state": state, "progress": progress}}}


def test_a_file_is_sent_again_from_its_beginning(
    connect: Connect, misbehaving: Misbehaving, tmp_path: Path
) -> None:
    path = tmp_path / "export.jsonl"
    path.write_bytes(CONTENT)
    misbehaving.script = [
        cut,
        good(startUpload=STARTED),
        cut,
        refuse("CONFLICT", 409),  # the service has not noticed yet
        reply(503, b""),
        reply(200, {"id": JOB["id"], "state": "QUEUED"}),
        good(ingestJob=JOB | {"state": "QUEUED"}),
    ]
    assert connect(misbehaving.url).upload(path).state is JobState.QUEUED
    sent = [one for one in misbehaving.received if one.method == "PUT"]
    assert len(sent) == 4
    assert all(one.body == CONTENT for one in sent)
    assert all(one.headers["content-length"] == str(len(CONTENT)) for one in sent)
    assert {one.path for one in sent} == {"/uploads/1"}


def test_a_file_that_has_come_is_not_sent_again(
    connect: Connect, misbehaving: Misbehaving, tmp_path: Path
) -> None:
    path = tmp_path / "export.jsonl"
    path.write_bytes(CONTENT)
    misbehaving.script = [good(startUpload={"job": JOB | {"state": "DONE"}, "upload": None})]
    assert connect(misbehaving.url).upload(path).done
    assert len(misbehaving.received) == 1


def test_a_file_that_changes_is_told_of(
    connect: Connect, misbehaving: Misbehaving, tmp_path: Path
) -> None:
    path = tmp_path / "export.jsonl"
    path.write_bytes(CONTENT)
    misbehaving.script = [good(startUpload=STARTED)]

    def grow(progress: UploadProgress) -> None:
        if progress.done == progress.total:
            path.write_bytes(CONTENT + b"more")

    with pytest.raises(BadInputError, match="changed"):
        connect(misbehaving.url).upload(path, on_progress=grow)


@pytest.mark.parametrize("url", ["https://elsewhere.example/put", "//elsewhere.example/put"])
def test_the_token_goes_nowhere_else(
    connect: Connect, misbehaving: Misbehaving, tmp_path: Path, url: str
) -> None:
    path = tmp_path / "export.jsonl"
    path.write_bytes(CONTENT)
    target = STARTED["upload"] | {"url": url}  # type: ignore[operator]
    misbehaving.script = [good(startUpload=STARTED | {"upload": target})]
    with pytest.raises(UnexpectedAnswerError, match="somewhere else"):
        connect(misbehaving.url).upload(path)


def test_a_job_is_followed_on_where_the_stream_breaks(
    connect: Connect, misbehaving: Misbehaving
) -> None:
    misbehaving.script = [
        reply(503, b""),
        events(running("Logging"), running("Growing"), complete=False),
        cut,
        events(running("Growing"), complete=True),  # a service that shuts down in order
        events(running("Growing"), running("", "DONE")),
    ]
    states = list(connect(misbehaving.url).jobs.watch("acme/j/1"))
    assert [one.progress.stage for one in states] == ["Logging", "Growing", ""]
    assert states[-1].done


def test_a_stream_that_is_refused_is_told_of(connect: Connect, misbehaving: Misbehaving) -> None:
    client = connect(misbehaving.url)
    failed = {"errors": [{"message": "Gone.", "extensions": {"code": "UNAUTHENTICATED"}}]}
    for answer in (events(running("Logging"), {"data": None, **failed}), reply(401, failed)):
        misbehaving.script = [answer]
        with pytest.raises(UnauthenticatedError, match="Gone"):
            list(client.jobs.watch("acme/j/1"))
    misbehaving.script = [events(running("Logging"))]
    # It ends at once, again and again: not followed for ever.
    with pytest.raises(TransportError):
        client.jobs.wait("acme/j/1")


def test_waiting_for_a_job_ends_in_time(connect: Connect, misbehaving: Misbehaving) -> None:
    def quiet(handler: BaseHTTPRequestHandler) -> None:
        events(running("Logging"), complete=False)(handler)
        time.sleep(3)

    misbehaving.script = [quiet]
    client = connect(misbehaving.url)
    began = time.monotonic()
    with pytest.raises(ClientTimeoutError):
        client.jobs.wait("acme/j/1", timeout_s=0.5)
    assert time.monotonic() - began < 2.5
