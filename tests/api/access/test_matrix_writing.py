"""Mutations and the subscription, aimed at what another workspace or a private channel has.

Whoever may not see a job or a channel gets the answer that they get for one that does not exist,
and nothing of it changes.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from egcforest.api.access.principal import TokenScope
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.fingerprint import canonical_lines
from egcforest.graph.store import ForestStore
from tests.api.access.operations import operations
from tests.api.access.transports import TRANSPORTS, Reply, send
from tests.api.access.world import MEMBER, OUTSIDER, PRIVATE_WORDS, write
from tests.api.conftest import Cli
from tests.api.serving import Api, serving

READ, INGEST, ADMIN, ON_BEHALF = TokenScope
HIDING, OTHER = "mw-hiding", "mw-other-"
JOB = """{ id kind state filename bytes attempt cancelRequested createdAt
  counts { read added unchanged superseded rejected }
  rejectionsTotal rejections { place reason remedy } error { message remedy } }"""
STATES = "{ ingestJobs(first: 100) { nodes { id state attempt cancelRequested } } }"

NONE = "nowhere"
"""Stands for what there is not, in the requests that others are compared with."""

NEW = "c-new"
"""What channels are called that those who try make themselves."""

each_transport = pytest.mark.parametrize("transport", TRANSPORTS)


@dataclass(frozen=True)
class World:
    """A server over two workspaces.

    Attributes:
        api: the server.
        jobs: ids in HIDING, of the member: one waits for its file, one was cancelled, one is done.
        request: the `clientRequestId` of the one that waits.
        tokens: of somebody in another workspace, and of an outsider in HIDING: to ingest, and to
            administrate.
    """

    api: Api
    jobs: tuple[str, ...]
    request: str
    member: str
    tokens: dict[str, str]

    def state(self) -> tuple[list[Any], list[str]]:
        """The jobs of HIDING, and what the fingerprint of its forests is made from."""
        found = self.api.query(STATES, self.member)["data"]["ingestJobs"]["nodes"]

        async def read() -> list[str]:
            async with await ForestStore.open(self.api.connection) as store:
                return [line async for line in canonical_lines(store, HIDING)]

        return [job for job in found if job["id"] in self.jobs], asyncio.run(read())


def started(request: str, size: int = 10) -> str:
    given = f'filename: "x.jsonl", bytes: {size}, sha256: "{"0" * 64}"'
    return (
        f'mutation {{ startUpload(input: {{{given}, clientRequestId: "{request}"}}) '
        f"{{ job {JOB} upload {{ url method }} }} }}"
    )


def appended(channel: str, more: str = "", time: str = "2026-03-02T09:00:00Z") -> str:
    message = f'channel: "{channel}", id: "91", time: "{time}", author: "u-kim", text: "Hi." {more}'
    given = f"messages: [{{{message}}}], waitSeconds: 25"
    return f"mutation {{ appendMessages(input: {{{given}}}) {JOB} }}"


def rebuilt(channel: str) -> str:
    return f"mutation {{ rebuild(input: {{channels: [{json.dumps(channel)}]}}) {JOB} }}"


def one(kind: str, name: str) -> Any:
    return lambda job: f"{kind} {{ {name}(id: {json.dumps(job)}) {JOB} }}"


BY_JOB = {
    "cancelJob": one("mutation", "cancelJob"),
    "retryJob": one("mutation", "retryJob"),
    "ingestJobProgress": one("subscription", "ingestJobProgress"),
    "ingestJob": one("query", "ingestJob"),
}
CHANNELS = ("c-board", "boardroom", f"{HIDING}/c/c-board")


@pytest.fixture(scope="module")
def world(
    cli: Cli, connection: ConnectionConfig, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("world")
    for workspace in (HIDING, OTHER):
        export = write(folder / f"{workspace}.jsonl", private=workspace == HIDING)
        done = cli("ingest", str(export), "--workspace", workspace)
        assert done.code == 0, done.err
    with serving(connection, HIDING, serve_rate_per_minute=10**6) as api:
        member = api.token(MEMBER, ADMIN)
        request = uuid.uuid4().hex
        asked = [
            api.query(started(request), member)["data"]["startUpload"]["job"],
            api.query(started(uuid.uuid4().hex), member)["data"]["startUpload"]["job"],
            api.query(rebuilt("c-board"), member)["data"]["rebuild"],
        ]
        jobs = tuple(str(job["id"]) for job in asked)
        api.query(BY_JOB["cancelJob"](jobs[1]), member)
        # It has one answer for each change, and comes to its end with the job.
        send("events", api.url, BY_JOB["ingestJobProgress"](jobs[2]), member)
        yield World(
            api,
            jobs,
            request,
            member,
            {
                "another workspace": api.token(MEMBER, READ, ADMIN, workspace=OTHER),
                "an outsider": api.token(OUTSIDER, READ, INGEST),
                "an outsider who administrates": api.token(OUTSIDER, ADMIN),
            },
        )
    for workspace in (HIDING, OTHER):
        assert cli("wipe", "-w", workspace, "--yes").code == 0


@pytest.fixture(scope="module", autouse=True)
def _nothing_changes(world: World) -> Iterator[None]:
    before = world.state()
    assert [job["state"] for job in before[0]].count("WAITING") == 1
    assert {job["state"] for job in before[0]} == {"WAITING", "CANCELLED", "DONE"}
    yield
    jobs, lines = world.state()
    assert jobs == before[0]
    # A channel that only the outsider has named is new, though its one message was not usable.
    changed = sorted(line for line in set(lines) ^ set(before[1]) if f'"/c/{NEW}' not in line)
    assert not changed, "\n".join(changed)


VOLATILE = {"requestId", "createdAt", "expiresAt"}


def normal(value: Any, named: str) -> Any:
    """`value` without times, ids of new jobs, and what was named in the request."""
    if isinstance(value, dict):
        return {k: normal(v, named) for k, v in value.items() if k not in VOLATILE}
    if isinstance(value, list):
        return [normal(item, named) for item in value]
    if isinstance(value, str):
        value = value.replace(named, "NAMED")
        return "ID" if len(value) > 32 and value.rpartition("/")[2].isalnum() else value
    return value


def same(found: Reply, named: str, wanted: Reply, other: str) -> None:
    """Fail unless the two answers are the same but for what each was asked about."""
    assert found.refused == wanted.refused
    assert normal(found.results, named) == normal(wanted.results, other)
    said = found.raw.replace(named, "")
    assert not [word for word in PRIVATE_WORDS if word in said]


def test_every_operation_that_writes_or_follows_is_tried_here() -> None:
    tried = {*BY_JOB, "rebuild", "startUpload", "appendMessages"}
    assert {o.name for o in operations() if o.kind != "query"} <= tried


@each_transport
@pytest.mark.parametrize("name", BY_JOB)
def test_another_ones_job_is_like_none(world: World, name: str, transport: str) -> None:
    for who in ("another workspace", "an outsider"):
        token = world.tokens[who]
        for job in world.jobs:
            for asked, unknown in (
                # By its key, and by its id alone.
                (job, job.replace(job.rpartition("/")[2], uuid.uuid4().hex)),
                (job.rpartition("/")[2], uuid.uuid4().hex),
            ):
                found = send(transport, world.api.url, BY_JOB[name](asked), token)
                wanted = send(transport, world.api.url, BY_JOB[name](unknown), token)
                same(found, asked, wanted, unknown)
                assert not found.data
                if name != "ingestJob":
                    way = name == "ingestJobProgress" and transport == "http"
                    assert found.codes == {"BAD_INPUT" if way else "NOT_FOUND"}, who


@each_transport
def test_a_channel_that_is_hidden_cannot_be_rebuilt(world: World, transport: str) -> None:
    for who in ("another workspace", "an outsider who administrates"):
        token = world.tokens[who]
        for channel in CHANNELS:
            unknown = channel.replace("c-board", NONE).replace("boardroom", NONE)
            found = send(transport, world.api.url, rebuilt(channel), token)
            wanted = send(transport, world.api.url, rebuilt(unknown), token)
            same(found, channel, wanted, unknown)
            assert found.codes == {"NOT_FOUND"}, who
            assert not found.data


@each_transport
def test_the_id_of_anothers_request_gives_a_job_of_ones_own(world: World, transport: str) -> None:
    for who in ("another workspace", "an outsider"):
        token = world.tokens[who]
        unknown = uuid.uuid4().hex
        # Of another size than the member's, which would be a conflict with theirs.
        found = send(transport, world.api.url, started(world.request, 11), token)
        wanted = send(transport, world.api.url, started(unknown, 11), token)
        same(found, world.request, wanted, unknown)
        (given,) = found.data
        assert given["job"]["id"] not in world.jobs
        assert given["job"]["state"] == "WAITING"


@each_transport
def test_appending_tells_nothing_of_a_hidden_channel(world: World, transport: str) -> None:
    """To another workspace it is a new channel of its own; what cannot be used is refused alike."""
    for number, (who, more, time) in enumerate(
        (
            ("another workspace", "", "2026-03-02T09:01:00Z"),
            ("an outsider", "", "soon"),
            ("an outsider", ', thread: "91"', "soon"),
        )
    ):
        token = world.tokens[who]
        unknown = f"{NEW}{TRANSPORTS.index(transport)}{number}"
        # Each way in brings a channel that the other workspace has not had before.
        found = send(transport, world.api.url, appended("c-board", more, time), token)
        wanted = send(transport, world.api.url, appended(unknown, more, time), token)
        if transport == TRANSPORTS[0] or time == "soon":
            same(found, "c-board", wanted, unknown)
        assert not found.codes - {"BAD_INPUT"}


@pytest.mark.parametrize("content", [b"0123456789", b"", b"x" * 11])
def test_anothers_upload_cannot_be_sent(world: World, content: bytes) -> None:
    for who in ("another workspace", "an outsider"):
        with world.api.client(world.tokens[who]) as client:
            for job in world.jobs:
                answers = [
                    client.put(f"/uploads/{name}", content=content)
                    for name in (job.rpartition("/")[2], uuid.uuid4().hex)
                ]
                assert {answer.status_code for answer in answers} == {404}
                found, wanted = (normal(answer.json(), "") for answer in answers)
                assert found == wanted
