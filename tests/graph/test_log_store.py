"""Descriptions, scope, names, coverage and wiping, on a real Neo4j."""

from __future__ import annotations

import pytest

from egcforest.graph import keys
from egcforest.graph.errors import InvalidKeyError, UnknownActorError, UnknownWorkspaceError
from egcforest.graph.log_store import LogStore
from egcforest.graph.records import ChannelKind, ChannelRecord, LogOutcome, MessageKind, Scope
from egcforest.graph.store import ForestStore
from tests.graph.log_records import (
    START,
    actor,
    append,
    channel,
    dump,
    edges_of,
    message,
    prepared_log,
)


async def test_describing_twice_changes_nothing(store: ForestStore, workspace: str) -> None:
    await prepared_log(store, workspace)
    before = await dump(store, workspace)
    await prepared_log(store, workspace)
    assert await dump(store, workspace) == before


async def test_a_rename_reaches_messages_and_marks_what_is_stale(
    store: ForestStore, workspace: str
) -> None:
    log = await prepared_log(store, workspace)
    await append(log, *(message(workspace, str(n), "Ana: hi") for n in range(7)))
    async with store._session() as session:
        await session.run(
            "MATCH (n {workspace: $w}) SET n.build_pending = null, n.encode_pending = null",
            w=workspace,
        )
    await log.upsert_actors([actor(workspace, "U1", "Anna", title="Lead")])
    await log.upsert_channels([channel(workspace, "C1", name="all")])
    found = (await dump(store, workspace))["nodes"]
    messages = [p for (label, _), p in found.items() if label == "Message"]
    assert {p["author_name"] for p in messages} == {"Anna"}
    assert {p["caption"] for p in messages} == {"Anna: Ana: hi"}
    assert {p["channel_name"] for p in messages} == {"all"}
    assert {p["encode_pending"] for p in messages} == {workspace}
    ana = found["Actor", f"{workspace}/a/U1"]
    assert (ana["aliases"], ana["real_name"], ana["title"]) == (["Ana"], "Ana Silva", "Lead")
    assert ana["build_pending"] == workspace
    assert "refresh_pending" not in ana
    assert found["Channel", f"{workspace}/c/C1"]["build_pending"] == workspace


async def test_an_interrupted_rename_goes_on(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace)
    await append(log, message(workspace, "1"))
    anna = actor(workspace, "U1", "Anna")
    await store.write(
        "log/write_actors",
        {"rows": [{"key": anna.key, "set": {"name": "Anna", "refresh_pending": True}}]},
    )
    await log.upsert_actors([anna])
    found = (await dump(store, workspace))["nodes"]
    assert found["Message", f"{workspace}/m/C1/1"]["author_name"] == "Anna"
    assert "refresh_pending" not in found["Actor", anna.key]


async def test_messages_follow_their_channel_into_privacy(
    store: ForestStore, workspace: str
) -> None:
    log = await prepared_log(store, workspace)
    await append(log, message(workspace, "1"))
    await log.upsert_channels([channel(workspace, "C1", private=True)])
    found = (await dump(store, workspace))["nodes"]
    assert found["Message", f"{workspace}/m/C1/1"]["audience"] == "C1"
    assert found["Channel", f"{workspace}/c/C1"]["build_pending"] == workspace


async def test_a_placeholder_overwrites_no_description(store: ForestStore, workspace: str) -> None:
    described = channel(workspace, "C1", name="general", purpose="All of us")
    log = await prepared_log(store, workspace, described)
    before = await dump(store, workspace)
    await log.upsert_channels([channel(workspace, "C1", name="C1", placeholder=True)])
    await log.upsert_actors([actor(workspace, "U1", "U1", placeholder=True)])
    assert await dump(store, workspace) == before


async def test_the_newest_list_of_members_counts(store: ForestStore, workspace: str) -> None:
    def private(*members: str) -> ChannelRecord:
        listed = tuple(keys.actor_key(workspace, member) for member in members)
        return channel(workspace, "P1", private=True, members=listed)

    log = await prepared_log(store, workspace, private("U1", "U2"))
    await log.upsert_channels([private("U2", "U3")])
    assert edges_of(await dump(store, workspace), "MEMBER_OF") == {
        ("a/U2", "c/P1"),
        ("a/U3", "c/P1"),
    }
    await log.upsert_channels([private()])
    assert len(edges_of(await dump(store, workspace), "MEMBER_OF")) == 2


async def test_who_did_not_bring_a_private_channel_opens_it_to_nobody(
    store: ForestStore, workspace: str
) -> None:
    ana, ben, chi = (keys.actor_key(workspace, user) for user in ("U1", "U2", "U3"))
    await prepared_log(
        store,
        workspace,
        channel(workspace, "C1", private=True, members=(ana,)),
        channel(workspace, "C2", private=True),
        channel(workspace, "C3"),
    )
    other = LogStore(store, introducer=ben)
    await other.upsert_channels(
        [
            channel(workspace, "C1", name="renamed"),
            channel(workspace, "C2", private=True, members=(ben,)),
            channel(workspace, "C3", private=True, members=(ana,)),
            channel(workspace, "C4", private=True),
        ]
    )
    records = [message(workspace, "1", channel_id=c, author="U2") for c in ("C1", "C2", "C4")]
    assert set(await append(other, *records)) == {LogOutcome.ADDED}
    closed = {keys.audience_of(c) for c in ("C1", "C2", "C3", "C4")}
    ana_sees = (await other.scope(workspace, ana)).audiences
    ben_sees = (await other.scope(workspace, ben)).audiences
    assert closed.intersection(ana_sees) == {keys.audience_of("C1"), keys.audience_of("C3")}
    assert closed.intersection(ben_sees) == {keys.audience_of("C4")}
    # What it brought itself it may open; whoever is trusted may open all.
    await other.upsert_channels([channel(workspace, "C4", private=True, members=(ben, chi))])
    assert keys.audience_of("C4") in (await other.scope(workspace, chi)).audiences
    await LogStore(store).upsert_channels([channel(workspace, "C1")])
    found = (await dump(store, workspace))["nodes"]
    assert found["Channel", f"{workspace}/c/C1"]["audience"] == "public"
    assert found["Message", f"{workspace}/m/C1/1"]["audience"] == "public"


@pytest.mark.parametrize("audience", ["public", "", "two words", "x" * 201])
async def test_an_audience_that_could_leak_is_refused(
    store: ForestStore, workspace: str, audience: str
) -> None:
    log = await prepared_log(store, workspace)
    key = keys.channel_key(workspace, "P1")
    record = ChannelRecord(key, workspace, "P1", "p", ChannelKind.PRIVATE, audience)
    with pytest.raises(InvalidKeyError, match="cannot have the audience"):
        await log.upsert_channels([record])


async def test_scope_is_public_and_what_one_belongs_to(store: ForestStore, workspace: str) -> None:
    ana, ben = keys.actor_key(workspace, "U1"), keys.actor_key(workspace, "U2")
    log = await prepared_log(
        store,
        workspace,
        channel(workspace, "C1", members=(ben,)),
        channel(workspace, "P1", private=True, members=(ana, ben)),
        channel(workspace, "P2", private=True, members=(ben,)),
    )
    assert await log.scope(workspace) == Scope(workspace, ("public",))
    assert await log.scope(workspace, ana) == Scope(workspace, ("public", "P1"), ana)
    assert await log.scope(workspace, ben) == Scope(workspace, ("public", "P1", "P2"), ben)
    for stranger in (f"{workspace}/a/U9", "other/a/U1", f"{workspace}/c/C1", ""):
        with pytest.raises(UnknownActorError):
            await log.scope(workspace, stranger)
    with pytest.raises(UnknownWorkspaceError, match=workspace):
        await log.scope("nowhere-at-all")


async def test_finding_an_actor(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace)
    await log.upsert_actors(
        [
            actor(workspace, "U4", "ana.s", real_name="Ana Souza", title="Counsel"),
            actor(workspace, "U5", "Ben", is_bot=True),
            actor(workspace, "U6", "Élodie  D", aliases=("Lo",)),
            actor(workspace, "U7", "U4"),
        ]
    )

    async def find(text: str) -> str:
        return (await log.find_actor(workspace, text)).source_id

    assert await find("U1") == "U1"
    assert await find(" @u1 ") == "U1"
    assert await find("U4") == "U4", "an id goes before a name"
    assert await find("ana") == "U1", "a name goes before a word of one"
    assert await find("ANA SOUZA") == "U4"
    assert await find("Souza") == "U4"
    assert await find("Ben") == "U2", "a person goes before a bot"
    assert await find("lo") == "U6"
    with pytest.raises(UnknownActorError, match="Nobody goes by 'Zoe'"):
        await find("Zoe")
    await log.upsert_actors([actor(workspace, "U8", "Chi", title="Pilot")])
    with pytest.raises(UnknownActorError, match="may be any of") as info:
        await find("chi")
    assert "Chi, Pilot (U8)" in str(info.value)
    assert "Chi Tanaka (U3)" in str(info.value)
    with pytest.raises(UnknownWorkspaceError):
        await log.find_actor("nowhere-at-all", "Ana")


async def test_coverage_and_counts(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace, channel(workspace, "C1"), channel(workspace, "C2"))
    await append(
        log,
        message(workspace, "1"),
        message(workspace, "1", "edited", revision="1"),
        message(workspace, "2", minute=5),
        message(workspace, "3", minute=9, kind=MessageKind.HOUSEKEEPING),
        message(workspace, "4", minute=2, revision="1", kind=MessageKind.TOMBSTONE),
    )
    first, second = await log.coverage(workspace)
    assert first.channel == channel(workspace, "C1")
    assert first.entries == {"message": 2, "superseded": 1, "housekeeping": 1, "tombstone": 1}
    assert first.messages == 2
    assert (first.first, first.last) == (START, message(workspace, "3", minute=9).at)
    assert (second.first, second.last, second.entries, second.messages) == (None, None, {}, 0)
    counts = await log.counts(workspace)
    assert (counts["entries"], counts["messages"], counts["actors"]) == (5, 2, 3)
    assert (counts["pending_channels"], counts["pending_vectors"]) == (1, 2)
    # A build that broke off has claimed what it was at: that is still to be built.
    params = {"workspace": workspace, "identity": "", "prefix": f"{workspace}/"}
    await store.write("forest/begin", params)
    assert (await log.counts(workspace))["pending_channels"] == 1


async def test_wiping_touches_nothing_else(store: ForestStore, workspace: str) -> None:
    """Names that begin alike are not confused."""
    neighbours = [f"{workspace}x", f"{workspace}-", workspace[:-1]]
    before = []
    for name in (workspace, *neighbours):
        log = await prepared_log(store, name)
        await append(log, *(message(name, str(n), reply_to="1") for n in range(5)))
        before.append(await dump(store, name))
    assert set(await log.workspaces()) >= {workspace, *neighbours}
    assert await log.wipe(workspace) == len(before[0]["nodes"])
    assert (await dump(store, workspace))["nodes"] == {}
    assert [await dump(store, name) for name in neighbours] == before[1:]
    for name in neighbours:
        await log.wipe(name)
    assert await log.wipe(workspace) == 0


async def test_a_workspace_needs_a_usable_name(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace)
    with pytest.raises(InvalidKeyError):
        await log.upsert_workspace("No Good")
    with pytest.raises(InvalidKeyError):
        await log.wipe("")
