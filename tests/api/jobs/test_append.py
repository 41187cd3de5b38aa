"""Appending messages over HTTP."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from egcforest.api.access.principal import TokenScope
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from egcforest.retrieval.pipeline import Retriever
from egcforest.text.encoders.hashing import HashingEncoder
from tests.api.jobs.conftest import APPEND, ONE, Desk, said

pytestmark = pytest.mark.timeout(120)

MakeDesk = Callable[..., Any]


async def answer(
    store: ForestStore, workspace: str, question: str, actor: str | None = None
) -> str:
    log = LogStore(store)
    key = None if actor is None else (await log.find_actor(workspace, actor)).key
    scope = await log.scope(workspace, key)
    found = await Retriever(store, HashingEncoder()).ask(question, scope)
    return "\n".join("\n".join((item.text, *item.files)) for item in found.items)


async def test_what_is_appended_can_be_searched_when_the_call_returns(
    desk: MakeDesk, store: ForestStore
):
    at: Desk = await desk()
    job = at.append(
        said("c1", "1", 0, "u1", "The ferry timetable moves to autumn, see OPS-71."),
        said("c1", "2", 3, "u2", "Does OPS-71 cover the night ferry?", thread="1"),
        actors=[{"id": "u1", "name": "Ana Ruiz", "title": "Release lead"}],
        channels=[{"id": "c1", "name": "harbour", "purpose": "All about ferries"}],
    )
    assert job["state"] == "DONE", job
    assert job["counts"]["added"] == 2
    assert (job["kind"], job["attempt"], job["filename"]) == ("APPEND", 1, None)
    found = await answer(store, at.workspace, "What about the night ferry?")
    assert "night ferry" in found
    # The reply comes later, the message it belongs to is there already; nothing is doubled.
    again = at.append(
        said("c1", "2", 3, "u2", "Does OPS-71 cover the night ferry?", thread="1"),
        said("c1", "3", 5, "u1", "It does, from 23:40 on.", replyTo="2"),
    )
    assert again["counts"] | {"read": 2} == again["counts"]
    assert (again["counts"]["added"], again["counts"]["unchanged"]) == (1, 1)
    assert "23:40" in await answer(store, at.workspace, "When does the night ferry leave?")


async def test_a_private_channel_that_is_appended_stays_private(desk: MakeDesk, store: ForestStore):
    at: Desk = await desk()
    at.append(
        said("c2", "1", 0, "u1", "Between us: the night ferry is sold to Brightwater."),
        channels=[{"id": "c2", "name": "board", "kind": "PRIVATE", "members": ["u1", "u2"]}],
        actors=[
            {"id": "u1", "name": "Ana"},
            {"id": "u2", "name": "Sam"},
            {"id": "u3", "name": "Lee"},
        ],
    )
    # Named by its id alone, it is what it was described as before.
    job = at.append(said("c2", "2", 1, "u2", "Brightwater pays nine million."))
    assert job["state"] == "DONE"
    question = "What of Brightwater?"
    assert await answer(store, at.workspace, question) == ""
    assert await answer(store, at.workspace, question, "u3") == ""
    assert "nine million" in await answer(store, at.workspace, question, "u2")


async def test_a_thousand_messages_at_once(desk: MakeDesk, store: ForestStore):
    at: Desk = await desk()
    messages = [
        said("c1", str(n), n % 800, f"u{n % 7}", f"Container {n} was moved to berth {n % 13}.")
        for n in range(1000)
    ]
    job = at.append(*messages)
    assert job["state"] == "DONE"
    assert job["counts"] == {
        "read": 1000, "added": 1000, "unchanged": 0, "superseded": 0, "rejected": 0,
    }  # fmt: skip
    error = at.error(APPEND, input={"messages": [*messages, messages[0]]})
    assert (error["code"], error["limit"], error["argument"]) == ("TOO_LARGE", 1000, "messages")


async def test_bad_records_are_named_and_the_good_ones_land(desk: MakeDesk):
    at: Desk = await desk()
    job = at.append(
        said("c1", "1", 0, "u1", "good"),
        said("c1", "2", 0, "u1", "secret words") | {"time": "yesterday"},
        said("c1", "3", 0, "u1", "secret words") | {"time": "2026-01-01T10:00:00"},
        said("", "4", 0, "u1", "secret words"),
        {k: v for k, v in said("c1", "5", 0, "u1", "").items() if k != "text"},
        said("c1", "6", 0, "u1", "good too"),
        channels=[{"id": "", "name": "nameless"}],
    )
    assert job["state"] == "DONE"
    assert (job["counts"]["added"], job["counts"]["rejected"]) == (2, 4)
    places = {one["place"]: one["reason"] for one in job["rejections"]}
    assert set(places) == {
        "messages[1]",
        "messages[2]",
        "messages[3]",
        "messages[4]",
        "channels[0]",
    }
    assert "time" in places["messages[1]"]
    assert "offset" in places["messages[2]"]
    assert "channel" in places["messages[3]"]
    assert "text" in places["messages[4]"]
    assert "secret" not in str(job)


async def test_edits_deletions_and_files(desk: MakeDesk, store: ForestStore):
    at: Desk = await desk()
    job = at.append(
        said("c1", "1", 0, "u1", "Draft of the tariff"),
        said("c1", "1", 0, "u1", "Tariff, second edition", revision=2),
        said("c1", "1", 0, "u1", "Tariff, tenth edition", revision="10"),
        said("c1", "2", 1, "u2", "A slip of the tongue"),
        said("c1", "2", 1, "u2", "", deleted=True),
        said("c1", "3", 2, "u1", "", files=[{"title": "Tariff.pdf", "preview": "All the prices"}]),
        said("c1", "4", 3, "u1", "joined", kind="HOUSEKEEPING"),
    )
    assert job["counts"]["rejected"] == 0, job
    assert "tenth edition" in await answer(store, at.workspace, "tariff edition")
    assert "slip" not in await answer(store, at.workspace, "slip of the tongue")
    assert "prices" in await answer(store, at.workspace, "tariff prices")


async def test_the_same_request_again_is_the_same_job(desk: MakeDesk):
    at: Desk = await desk()
    request = {"clientRequestId": uuid.uuid4().hex}
    first = at.append(said("c1", "1", 0, "u1", "once"), **request)
    again = at.append(said("c1", "1", 0, "u1", "once"), **request)
    assert again == first
    other = {"messages": [said("c1", "2", 0, "u1", "else")], **request}
    assert at.error(APPEND, input=other)["code"] == "CONFLICT"
    # Another token's request of that name is another one.
    beside: Desk = await desk(at=at.workspace)
    assert beside.append(said("c1", "1", 0, "u1", "once"), **request)["id"] != first["id"]


@pytest.mark.parametrize(
    ("given", "code", "argument"),
    [
        ({"messages": []}, "BAD_INPUT", "messages"),
        ({"timeZone": "Mars/Olympus"}, "BAD_INPUT", "timezone"),
        ({"waitSeconds": 31}, "BAD_INPUT", "waitSeconds"),
        ({"clientRequestId": " "}, "BAD_INPUT", "clientRequestId"),
        ({"clientRequestId": "x" * 201}, "BAD_INPUT", "clientRequestId"),
    ],
)
async def test_what_is_refused_at_once(desk: MakeDesk, given: Any, code: str, argument: str):
    at: Desk = await desk()
    message = said("c1", "1", 0, "u1", "fine")
    error = at.error(APPEND, input={"messages": [message]} | given)
    assert (error["code"], error["argument"]) == (code, argument)
    assert error["remedy"]


async def test_a_field_of_another_type_is_named_with_its_index(desk: MakeDesk):
    at: Desk = await desk()
    messages = [said("c1", "1", 0, "u1", "fine"), said("c1", "2", 0, "u1", "fine") | {"text": 5}]
    error = at.error(APPEND, input={"messages": messages})
    assert error["code"] == "BAD_INPUT"
    assert "messages[1].text" in error["message"]


async def test_times_without_an_offset_take_the_zone_that_was_stated(desk: MakeDesk):
    at: Desk = await desk()
    naive = said("c1", "1", 0, "u1", "midday") | {"time": "2026-01-01T12:00:00"}
    assert at.append(naive, timeZone="Europe/Berlin")["counts"]["added"] == 1


async def test_who_may_not(desk: MakeDesk):
    reader: Desk = await desk(TokenScope.READ)
    given = {"messages": [said("c1", "1", 0, "u1", "no")]}
    assert reader.error(APPEND, input=given)["code"] == "FORBIDDEN"
    writer: Desk = await desk(at=reader.workspace)
    job = writer.append(said("c1", "1", 0, "u1", "mine"))
    other: Desk = await desk(at=reader.workspace)
    elsewhere: Desk = await desk(TokenScope.ADMIN)
    chief: Desk = await desk(TokenScope.ADMIN, at=reader.workspace)
    assert other.one(ONE, id=job["id"]) is None
    assert elsewhere.one(ONE, id=job["id"]) is None
    assert chief.one(ONE, id=job["id"])["state"] == "DONE"
    assert reader.error(ONE, id=job["id"])["code"] == "FORBIDDEN"
