"""Appending to the log on a real Neo4j: idempotent, order-free, safe beside others."""

from __future__ import annotations

import asyncio
import random

import pytest

from egcforest.graph import keys
from egcforest.graph.errors import GraphError
from egcforest.graph.log_rows import message_record
from egcforest.graph.records import LogOutcome, MessageKind, MessageRecord
from egcforest.graph.store import ForestStore
from tests.graph.log_records import (
    actor,
    append,
    channel,
    dump,
    edges_of,
    message,
    prepared_log,
)

DERIVED = {"terms", "context_terms", "vector", "encode_pending", "episode"}
LIVE_ONLY = ("PLACED", "MENTIONS", "REPLIES_TO", "SAME_IDENTIFIER")


def conversation(workspace: str) -> list[MessageRecord]:
    """Replies, edits, a deletion, and an edit of what was deleted."""
    return [
        message(workspace, "1", "root"),
        message(workspace, "2", "first reply", author="U2", minute=1, thread="1", reply_to="1"),
        message(workspace, "3", "reply to reply", author="U3", minute=2, reply_to="2"),
        message(workspace, "1", "root, better", revision="100"),
        message(workspace, "1", "root, best", revision="200"),
        message(workspace, "2", "", author="U2", minute=1, revision="150", reply_to="1",
                kind=MessageKind.TOMBSTONE),
        message(workspace, "4", "to @Ben", minute=3, mentions=(keys.actor_key(workspace, "U2"),)),
        message(workspace, "5", "joined", minute=4, kind=MessageKind.HOUSEKEEPING, reply_to="4"),
    ]  # fmt: skip


async def test_the_second_time_changes_nothing(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace)
    records = conversation(workspace)
    first = await append(log, *records)
    before = await dump(store, workspace)
    assert await append(log, *records) == [LogOutcome.UNCHANGED] * len(records)
    assert await dump(store, workspace) == before
    assert first.count(LogOutcome.ADDED) == 5
    assert first.count(LogOutcome.SUPERSEDED) == 3


async def test_any_order_and_batching_gives_the_same_log(
    store: ForestStore, workspace: str
) -> None:
    records = conversation(workspace)
    log = await prepared_log(store, workspace)
    await append(log, *records)
    expected = await dump(store, workspace)
    shuffle = random.Random(4).sample
    for size in (1, 2, 3, 8):
        await log.wipe(workspace)
        log = await prepared_log(store, workspace)
        for part in batches(shuffle(records, len(records)), size):
            await append(log, *part)
        assert await dump(store, workspace) == expected


def batches(items: list[MessageRecord], size: int) -> list[list[MessageRecord]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


async def test_revisions_chain_and_only_the_newest_is_live(
    store: ForestStore, workspace: str
) -> None:
    log = await prepared_log(store, workspace)
    for record in reversed(conversation(workspace)):
        await append(log, record)
    found = await dump(store, workspace)
    assert edges_of(found, "SUPERSEDES") == {
        ("m/C1/1~200", "m/C1/1~100"),
        ("m/C1/1~100", "m/C1/1"),
        ("m/C1/2~150", "m/C1/2"),
    }
    live = {
        key.split("/", 1)[1]
        for (label, key), properties in found["nodes"].items()
        if label == "Message" and properties["live"]
    }
    assert live == {"m/C1/1~200", "m/C1/3", "m/C1/4"}
    # A tombstone answers nothing: the reply to it stands alone.
    assert edges_of(found, "REPLIES_TO") == set()
    assert edges_of(found, "MENTIONS") == {("m/C1/4", "a/U2")}


async def test_what_is_not_live_cannot_be_met(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace)
    await append(log, *conversation(workspace))
    found = await dump(store, workspace)
    dead = {
        key: properties
        for (label, key), properties in found["nodes"].items()
        if label == "Message" and not properties["live"]
    }
    assert len(dead) == 5
    assert not any(DERIVED & properties.keys() for properties in dead.values())
    touched = {a for a, t, b in found["edges"] if t in LIVE_ONLY}
    touched |= {b for a, t, b in found["edges"] if t in LIVE_ONLY}
    assert not touched & dead.keys()


async def test_an_edit_takes_placements_along_and_marks_their_subjects(
    store: ForestStore, workspace: str
) -> None:
    log = await prepared_log(store, workspace)
    await append(log, message(workspace, "1", "old", mentions=(keys.actor_key(workspace, "U2"),)))
    async with store._session() as session:
        await session.run(
            """
            MATCH (m:Message {key: $m}) MATCH (a:Actor {key: $a})
            CREATE (t:Tree {key: $t, workspace: $w})-[:ABOUT]->(a)
            CREATE (n:ForestNode {key: $t + '/1/x', workspace: $w, tree: $t})
            CREATE (m)-[:PLACED {view: 'actor', position: 0}]->(n)
            SET m.vector = [1.0], m.context_terms = 'x', m.episode = n.key,
                m.encode_pending = null
            """,
            m=f"{workspace}/m/C1/1", a=f"{workspace}/a/U1", t=f"{workspace}/t/actor/a", w=workspace,
        )  # fmt: skip
    assert await append(log, message(workspace, "1", "new", revision="9")) == [
        LogOutcome.SUPERSEDED
    ]
    found = await dump(store, workspace)
    old = found["nodes"]["Message", f"{workspace}/m/C1/1"]
    assert not DERIVED & old.keys()
    assert not edges_of(found, "PLACED")
    assert not edges_of(found, "MENTIONS")
    assert found["nodes"]["Actor", f"{workspace}/a/U1"]["build_pending"] == workspace
    assert found["nodes"]["Channel", f"{workspace}/c/C1"]["build_pending"] == workspace


async def test_replies_attach_whichever_arrives_first(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace)
    await append(log, message(workspace, "2", reply_to="1"), message(workspace, "3", reply_to="1"))
    assert edges_of(await dump(store, workspace), "REPLIES_TO") == set()
    await append(log, message(workspace, "1"))
    await append(log, message(workspace, "4", reply_to="1"))
    expected = {(f"m/C1/{n}", "m/C1/1") for n in (2, 3, 4)}
    assert edges_of(await dump(store, workspace), "REPLIES_TO") == expected
    # An edit of the parent moves the replies to its new entry.
    await append(log, message(workspace, "1", "edited", revision="5"))
    moved = {(source, "m/C1/1~5") for source, _ in expected}
    assert edges_of(await dump(store, workspace), "REPLIES_TO") == moved


async def test_replies_stay_in_their_channel(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace, channel(workspace, "C1"), channel(workspace, "C2"))
    await append(
        log,
        message(workspace, "1", channel_id="C1"),
        message(workspace, "2", channel_id="C2", reply_to="1"),
        message(workspace, "3", channel_id="C1", reply_to="3"),
    )
    assert edges_of(await dump(store, workspace), "REPLIES_TO") == set()


async def test_an_unmarked_edit_becomes_a_revision(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace)
    await append(log, message(workspace, "1", "before"))
    changed = message(workspace, "1", "after")
    assert await append(log, changed) == [LogOutcome.SUPERSEDED]
    assert await append(log, changed) == [LogOutcome.UNCHANGED]
    assert await append(log, message(workspace, "1", "before")) == [LogOutcome.UNCHANGED]
    found = await dump(store, workspace)
    texts = {
        p["text"]: (p["live"], p["revision"][:6])
        for (label, _), p in found["nodes"].items()
        if label == "Message"
    }
    assert texts == {"before": (False, ""), "after": (True, "#0001-")}
    # A marked edit is newer than any unmarked one.
    await append(log, message(workspace, "1", "marked", revision="1700000000.1"))
    found = await dump(store, workspace)
    live = [p["text"] for (label, _), p in found["nodes"].items() if p.get("live")]
    assert live == ["marked"]


async def test_a_later_export_fills_in_what_an_earlier_one_did_not_know(
    store: ForestStore, workspace: str
) -> None:
    log = await prepared_log(store, workspace)
    await append(log, message(workspace, "1"), message(workspace, "2", "r"))
    await store.write("log/upsert_workspace", {"workspace": workspace})
    later = [
        message(workspace, "1", thread="1", link="https://chat.example/1"),
        message(workspace, "2", "r", thread="1", reply_to="1"),
    ]
    assert await append(log, *later) == [LogOutcome.UNCHANGED] * 2
    found = await dump(store, workspace)
    assert found["nodes"]["Message", f"{workspace}/m/C1/1"]["thread"] == "1"
    assert found["nodes"]["Message", f"{workspace}/m/C1/1"]["link"] == "https://chat.example/1"
    assert edges_of(found, "REPLIES_TO") == {("m/C1/2", "m/C1/1")}
    before = found
    await append(log, message(workspace, "1"), message(workspace, "2", "r"))
    assert await dump(store, workspace) == before


async def test_a_message_comes_back_as_it_was_given(store: ForestStore, workspace: str) -> None:
    given = message(
        workspace, "a/b ~%\n", "text\u0000\\ \" 'Ünï😀", minute=3, revision="r 1", thread="1",
        mentions=(keys.actor_key(workspace, "U2"), keys.actor_key(workspace, "new one")),
        channel_mentions=(keys.channel_key(workspace, "C1"),), files=("f.pdf: x",),
        identifiers=("url:https://x/y",), identifier_titles=("",), link="https://l",
    )  # fmt: skip
    log = await prepared_log(store, workspace)
    await append(log, given)
    found = await dump(store, workspace)
    assert message_record(found["nodes"]["Message", given.key]) == given
    node = found["nodes"]["Message", given.key]
    assert node["author_name"] == "Ana"
    assert node["channel_name"] == "general"
    assert node["caption"].startswith("Ana: text")
    assert node["stamp"] == "20260302090300000"
    # Whoever is addressed without having been described is there as a placeholder.
    assert found["nodes"]["Actor", keys.actor_key(workspace, "new one")]["placeholder"] is True
    assert found["nodes"]["Actor", keys.actor_key(workspace, "new one")]["name"] == "new one"


async def test_an_unknown_channel_is_refused(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace)
    with pytest.raises(GraphError, match=r"/c/C9', which is not in the graph"):
        await append(log, message(workspace, "1", channel_id="C9"))
    assert (await log.counts(workspace))["entries"] == 0


async def test_concurrent_appends_agree(store: ForestStore, workspace: str) -> None:
    """Eight ingests of overlapping logs at once, as faults 9 and 12 have it."""
    channels = [channel(workspace, f"C{n}") for n in range(4)]
    log = await prepared_log(store, workspace, *channels)
    records = [
        message(
            workspace, str(n), f"text {n} {revision}", channel_id=f"C{n % 4}",
            author=f"U{n % 3 + 1}", minute=n, revision=revision,
            reply_to=str(n - 4) if n > 8 else None,
            mentions=(keys.actor_key(workspace, f"U{(n + 1) % 3 + 1}"),),
        )
        for n in range(120)
        for revision in ("", "1", "2")
    ]  # fmt: skip
    rng = random.Random(1)
    results = await asyncio.gather(
        *(append(log, *rng.sample(records, len(records)), batch_size=50) for _ in range(8))
    )
    stored = [outcome for result in results for outcome in result]
    assert len(stored) - stored.count(LogOutcome.UNCHANGED) == len(records)
    found = await dump(store, workspace)
    await log.wipe(workspace)
    log = await prepared_log(store, workspace, *channels)
    await append(log, *records)
    assert await dump(store, workspace) == found


async def test_private_authors_become_members_where_nobody_listed_them(
    store: ForestStore, workspace: str
) -> None:
    log = await prepared_log(
        store,
        workspace,
        channel(workspace, "P1", private=True),
        channel(workspace, "P2", private=True, members=(keys.actor_key(workspace, "U3"),)),
        channel(workspace, "C1"),
    )
    await append(
        log,
        *(message(workspace, "1", channel_id=c, author="U1") for c in ("P1", "P2", "C1")),
    )
    members = edges_of(await dump(store, workspace), "MEMBER_OF")
    assert members == {("a/U1", "c/P1"), ("a/U3", "c/P2")}


async def test_the_audience_is_that_of_the_channel(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace, channel(workspace, "P 1", private=True))
    await append(log, message(workspace, "1", channel_id="P 1"))
    found = await dump(store, workspace)
    (node,) = [p for (label, _), p in found["nodes"].items() if label == "Message"]
    assert node["audience"] == "P%201"


async def test_an_author_nobody_described_gets_a_name_later(
    store: ForestStore, workspace: str
) -> None:
    log = await prepared_log(store, workspace)
    await append(log, message(workspace, "1", "hello there", author="U9"))
    await log.upsert_actors([actor(workspace, "U9", "Dee")])
    await log.upsert_actors([actor(workspace, "U9", "placeholder", placeholder=True)])
    found = await dump(store, workspace)
    node = found["nodes"]["Message", f"{workspace}/m/C1/1"]
    assert (node["author_name"], node["caption"]) == ("Dee", "Dee: hello there")
    assert found["nodes"]["Actor", f"{workspace}/a/U9"]["placeholder"] is False
