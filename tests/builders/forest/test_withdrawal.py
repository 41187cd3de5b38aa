"""Nothing that was said in private, deleted or edited away is left where others find it."""

import random

import pytest

from egcforest.api.names import find_trees
from egcforest.builders.summaries import ExtractiveSummariser
from egcforest.graph import log_describe
from egcforest.graph.errors import AudienceChangedError, UnknownActorError
from egcforest.graph.fingerprint import fingerprint
from egcforest.graph.forest_store import TreeStore
from egcforest.graph.inspection import InspectionStore
from egcforest.graph.records import View
from egcforest.graph.search import ForestSearch
from egcforest.text.errors import EGCForestError

from .talk import DESCRIPTIONS, talk

PEOPLE = [{"type": "actor", "id": who, "name": who.title()} for who in ("ana", "ben", "eve")]
GENERAL = {"type": "channel", "id": "gen", "name": "general"}
OPEN = {"type": "channel", "id": "sec", "name": "zebra-room"}
CLOSED = {**OPEN, "kind": "private", "members": ["ana"]}


def said(channel, number, author, text, **fields):
    time = f"2026-03-02T09:{number:02}:00Z"
    return {
        "channel": channel, "id": str(number), "time": time, "author": author, "text": text,
        **fields,
    }  # fmt: skip


TALK = [
    said("gen", 1, "ana", "See https://x.example/acme/atlas/pull/41 for the queue"),
    said("gen", 2, "ben", "PR #41 looks good to me"),
    said("sec", 3, "ana", "PR #41 hides the walrus problem, we decided to drop it"),
    said("sec", 4, "ben", "Project Heron is now called Quokka, I own it"),
    said("sec", 5, "ana", "See [Pangolin Plan](https://x.example/doc/pangolin-plan), by Friday"),
    said("sec", 6, "ben", "The Pangolin Plan is done"),
    said("gen", 7, "ana", "Heron is fine, ship by Friday"),
    said("gen", 8, "ben", "Heron again, PR #41 merged"),
]
SECRETS = ("walrus", "quokka", "pangolin", "zebra")


async def places(one, word, *audiences):
    """Where `word` can be met by who sees `audiences`: live messages, trees and nodes."""
    rows = await one.cypher(
        "MATCH (n) WHERE n.workspace = $w AND n.audience IN $audiences "
        "AND NOT n:Channel AND coalesce(n.live, true) RETURN properties(n) AS p",
        audiences=["public", *audiences],
    )
    return [
        (row["p"]["key"], name)
        for row in rows
        for name, value in row["p"].items()
        if name != "vector" and word in str(value).lower()
    ]


@pytest.mark.parametrize("built", [True, False])
async def test_a_channel_that_turns_private_leaves_nothing_in_public(company, built):
    one = company()
    await one.grow(*PEOPLE, GENERAL, OPEN, *TALK)
    await one.log(*PEOPLE, GENERAL, CLOSED)
    if built:
        await one.build()
    for word in SECRETS:
        left = await places(one, word)
        if not built:
            # Leaves elsewhere are found by the new name of what they speak of until the build.
            left = [place for place in left if place[1] != "header_terms"]
        assert left == [], word
    if not built:
        await one.build()
    assert await places(one, "walrus", "sec")
    from_the_start = company()
    await from_the_start.grow(*PEOPLE, GENERAL, CLOSED, *TALK)
    assert await one.fingerprint() == await from_the_start.fingerprint()


@pytest.mark.parametrize("followed", [0, 1, 3])
async def test_a_change_that_broke_off_shows_too_little_and_heals(company, monkeypatch, followed):
    one, whole = company(), company()
    await one.grow(*PEOPLE, GENERAL, OPEN, *TALK)
    monkeypatch.setattr(log_describe, "_REFRESH_BATCH", 1)
    with monkeypatch.context() as patched:
        _break_off(patched, one.store, after=followed)
        with pytest.raises(ConnectionResetError):
            await one.log(*PEOPLE, GENERAL, CLOSED)
    assert await _seen(one) == []
    await one.build()
    assert await _seen(one) == []
    await one.grow(CLOSED)
    await whole.grow(*PEOPLE, GENERAL, CLOSED, *TALK)
    assert await one.fingerprint() == await whole.fingerprint()


async def test_what_turns_private_on_its_way_into_a_tree_does_not_arrive(company, monkeypatch):
    one, whole = company(), company()
    await one.log(*PEOPLE, GENERAL, OPEN, *TALK)
    seen = []
    write = TreeStore.write

    async def late(trees, batch):
        if not seen:
            # All was read for this batch, and nothing of it is written yet.
            await one.log(*PEOPLE, GENERAL, CLOSED)
        seen.append(batch)
        try:
            await write(trees, batch)
        except AudienceChangedError:
            seen.append("refused")
            raise
        finally:
            assert await _seen(one) == []

    monkeypatch.setattr(TreeStore, "write", late)
    await one.build()
    assert "refused" in seen
    await whole.grow(*PEOPLE, GENERAL, CLOSED, *TALK)
    assert await one.fingerprint() == await whole.fingerprint()


def _break_off(patched, store, *, after):
    """The process ends when `after` batches of the channel's messages have followed it."""
    write, left = store.write, [after]

    async def dying(name, *args, **kwargs):
        if name == "log/refresh_channel":
            left[0] -= 1
            if left[0] < 0:
                raise ConnectionResetError
        return await write(name, *args, **kwargs)

    patched.setattr(store, "write", dying)


async def _seen(one):
    """What of the secrets the public sees, in messages, headings and cards."""
    scope = await one.log_store.scope(one.workspace)
    search = ForestSearch(one.store)
    messages = await one.cypher("MATCH (m:Message {workspace: $w}) RETURN m.key AS key")
    leaves = await one.cypher("MATCH (n:ForestNode {workspace: $w, level: 1}) RETURN n.key AS key")
    shown = [
        *(await search.message_texts(scope, [row["key"] for row in messages])).values(),
        *await search.ancestors(scope, [row["key"] for row in leaves], height=9),
    ]
    for view in View:
        shown += await InspectionStore(one.store).all_trees(scope, view)
    return [said for said in shown for word in ("walrus", "pangolin") if word in str(said).lower()]


async def test_a_channel_that_turns_public_is_like_one_that_always_was(company):
    one, whole = company(), company()
    await one.grow(*PEOPLE, GENERAL, CLOSED, *TALK)
    await one.grow(OPEN)
    await whole.grow(*PEOPLE, GENERAL, OPEN, *TALK)
    assert await fingerprint(one.store, one.workspace) == await whole.fingerprint()


@pytest.mark.parametrize("seed", [11, 13])
async def test_channels_that_open_and_close_while_people_talk(company, seed):
    """However often: the graph is the one that the last state alone gives."""
    rng = random.Random(seed)
    channels = {line["id"]: line for line in DESCRIPTIONS if line["type"] == "channel"}
    waiting, log = talk(60, seed), []
    rng.shuffle(waiting)
    one, direct = company(), company()
    await one.log(*DESCRIPTIONS)
    while waiting:
        part, waiting = waiting[:15], waiting[15:]
        for number, old in enumerate(rng.sample(log, min(2, len(log)))):
            new = {"deleted": True} if number else {"text": f"{old['text']} PR #43"}
            part.append({**old, **new, "revision": f"{len(log):04}"})
        log += part
        moved = channels[rng.choice(["atlas", "plat", "legal"])]
        kind = "public" if moved.get("kind") == "private" else "private"
        channels[moved["id"]] = {**moved, "kind": kind, "members": ["ana", "eve"]}
        await one.log(*part, channels[moved["id"]])
        if rng.random() < 0.7:
            await one.build()
    await one.build()
    people = [line for line in DESCRIPTIONS if line["type"] == "actor"]
    await direct.grow(*people, *channels.values(), *log)
    assert await one.fingerprint() == await direct.fingerprint()


@pytest.mark.parametrize("change", ["deleted", "edited"])
@pytest.mark.parametrize("built", [True, False])
async def test_a_message_that_goes_is_gone_from_summaries_and_cards(company, change, built):
    one = company()
    await one.grow(*PEOPLE, GENERAL, OPEN, *TALK)
    assert len(await places(one, "walrus")) > 3
    gone = said("sec", 3, "ana", "never mind", revision="9")
    await one.log({**gone, "deleted": True} if change == "deleted" else gone)
    if built:
        await one.build()
    left = await places(one, "walrus")
    if not built:
        # Terms of the message before and after it stay until the build: nobody sees them.
        left = [place for place in left if place[1] != "context_terms"]
    assert left == []


@pytest.mark.parametrize("change", ["deleted", "edited"])
async def test_an_artifact_that_a_gone_message_alone_named_is_gone(company, change):
    one = company()
    await one.grow(*PEOPLE, GENERAL, said("gen", 1, "ana", "OPS-77 is secret"))
    gone = said("gen", 1, "ana", "never mind", revision="9")
    await one.grow({**gone, "deleted": True} if change == "deleted" else gone)
    assert await one.cypher("MATCH (x:Artifact {workspace: $w}) RETURN x.key AS key") == []


async def test_members_that_all_left_see_nothing_more(company):
    one = company()
    await one.grow(*PEOPLE, GENERAL, CLOSED, *TALK)
    ana = f"{one.workspace}/a/ana"
    assert "sec" in (await one.log_store.scope(one.workspace, ana)).audiences
    await one.log({**CLOSED, "members": []})
    assert "sec" not in (await one.log_store.scope(one.workspace, ana)).audiences
    # Who writes there later does not become a member by that.
    await one.log(said("sec", 9, "ana", "anybody there?"))
    assert "sec" not in (await one.log_store.scope(one.workspace, ana)).audiences


@pytest.mark.parametrize("nobody", ["", " ", "@"])
async def test_no_name_is_nobodys_name(company, nobody):
    one = company()
    await one.log({"type": "actor", "id": "solo", "name": "Solo"})
    with pytest.raises(UnknownActorError, match="No name"):
        await one.log_store.find_actor(one.workspace, nobody)


@pytest.mark.parametrize("told", ["public", "private"])
async def test_an_actor_named_in_private_alone_is_as_unknown_as_nobody(company, told):
    one = company()
    await one.grow(*PEOPLE, GENERAL, CLOSED, *TALK)
    stranger = {"type": "actor", "id": "x9", "name": "Xaver"} if told == "public" else PEOPLE[0]
    await one.grow(stranger, said("sec", 9, "ana", "Xaver buys us", mentions=["x9"]))
    scope = await one.log_store.scope(one.workspace)
    messages = []
    for name in ("x9", "x8"):
        with pytest.raises(EGCForestError) as caught:
            await find_trees(one.store, scope, View.ACTOR, name)
        messages.append(str(caught.value).replace(name, "NAME"))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("name", ["PR #41", "pull request 41", "#41", "atlas#41"])
async def test_an_artifact_goes_by_what_people_call_it(company, name):
    one = company()
    await one.grow(*PEOPLE, GENERAL, *TALK[:2])
    scope = await one.log_store.scope(one.workspace)
    (tree,) = await find_trees(one.store, scope, View.ARTIFACT, name)
    assert tree.name == "atlas#41"


class _Broken(ExtractiveSummariser):
    async def summarise(self, requests):
        raise EGCForestError("The model is gone.", "Start it.")


async def test_an_error_of_a_summariser_comes_as_it_is(company):
    one = company()
    await one.log(*PEOPLE, GENERAL, *TALK[:2])
    with pytest.raises(EGCForestError, match="The model is gone"):
        await one.build(summariser=_Broken())
