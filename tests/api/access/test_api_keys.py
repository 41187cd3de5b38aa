"""Sign-in with API keys, on a real Neo4j."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import pytest

from egcforest.api.access.authenticate import Authenticator
from egcforest.api.access.principal import (
    ForbiddenError,
    Principal,
    TokenScope,
    TooManyFailuresError,
    UnauthenticatedError,
)
from egcforest.api.access.rate import FailureLimit, network_of
from egcforest.api.access.tokens import ApiKey
from egcforest.graph.errors import UnknownActorError, UnknownWorkspaceError
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from egcforest.graph.token_store import TokenStore
from tests.api.access.conftest import Issue
from tests.graph.log_records import actor

READ, INGEST, ADMIN, ON_BEHALF = TokenScope
NOW = datetime.now(UTC)


def bearer(key: ApiKey) -> str:
    return f"Bearer {key.text}"


async def test_a_token_says_who_and_what(
    authenticator: Authenticator, issue: Issue, workspace: str
) -> None:
    key = await issue(READ, ON_BEHALF, actor="Ana Ruiz", lifetime=timedelta(days=1))
    found = await authenticator.authenticate(bearer(key))
    assert (found.workspace, found.actor) == (workspace, f"{workspace}/a/U1")
    assert found.scopes == {READ, ON_BEHALF}
    assert (found.token_id, found.behind) == (key.token_id, None)
    assert found.expires is not None
    assert abs(found.expires - datetime.now(UTC) - timedelta(days=1)) < timedelta(minutes=5)


async def test_a_token_without_an_actor_is_the_publics(
    authenticator: Authenticator, issue: Issue
) -> None:
    assert (await authenticator.authenticate(bearer(await issue(actor=None)))).actor is None


async def test_the_secret_is_nowhere_in_the_graph(
    store: ForestStore, issue: Issue, workspace: str
) -> None:
    key = await issue()
    async with store._session() as session:
        result = await session.run(
            "MATCH (t:AccessToken {workspace: $w}) RETURN properties(t) AS p", w=workspace
        )
        (row,) = [record["p"] async for record in result]
    assert key.secret not in str(row)
    assert row["secret_sha256"] == key.digest


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: "Bearer",
        lambda text: "Bearer ",
        lambda text: text,
        lambda text: f"Basic {text}",
        lambda text: f"Token {text}",
        lambda text: f"Bearer  {text}",
        lambda text: f"Bearer\t{text}",
        lambda text: f" Bearer {text}",
        lambda text: f"Bearer {text} ",
        lambda text: f"Bearer {text}\n",
        lambda text: f"Bearer {text}, Bearer {text}",
        lambda text: f"Bearer {text} {text}",
        lambda text: f"Bearer {text[:-1]}",
        lambda text: f"Bearer {text.lower()}",
        lambda text: f"Bearer {text}\x00",
        lambda text: "Bearer " + "A" * 100_000,
        lambda text: "Bearer é",
        lambda text: "Bearer a.b.c",
        lambda text: "Bearer egcf__",
    ],
)
async def test_nothing_but_a_bearer_token_is_read(
    authenticator: Authenticator, issue: Issue, change
) -> None:
    key = await issue()
    with pytest.raises(UnauthenticatedError):
        await authenticator.authenticate(change(key.text))
    assert await authenticator.authenticate(f"bEARER {key.text}")


async def test_all_that_are_no_good_get_the_same_answer(
    authenticator: Authenticator, issue: Issue, store: ForestStore, workspace: str
) -> None:
    good, revoked = await issue(), await issue()
    expired = await issue(lifetime=timedelta(microseconds=1))
    await TokenStore(store).revoke(revoked.token_id, NOW)
    texts = [
        ApiKey.new().text,
        ApiKey(good.token_id, ApiKey.new().secret).text,
        ApiKey(ApiKey.new().token_id, good.secret).text,
        expired.text,
        revoked.text,
        "egcf_short",
    ]
    answers = set()
    for text in (None, *(f"Bearer {text}" for text in texts)):
        with pytest.raises(UnauthenticatedError) as info:
            await authenticator.authenticate(text)
        answers.add((type(info.value), str(info.value), info.value.remedy))
        assert info.value.__cause__ is None
    assert len(answers) == 1
    assert good.token_id not in str(answers)


async def test_a_token_ends_when_it_is_revoked_or_its_actor_leaves(
    authenticator: Authenticator, issue: Issue, people: LogStore, store: ForestStore, workspace: str
) -> None:
    ana, sam = await issue(actor="U1"), await issue(actor="U2")
    assert await TokenStore(store).revoke(ana.token_id, NOW)
    assert await TokenStore(store).revoke(ana.token_id, NOW + timedelta(days=1))
    (stored,) = [t for t in await TokenStore(store).list(workspace) if t.token_id == ana.token_id]
    assert stored.revoked_at == NOW
    assert await authenticator.authenticate(bearer(sam))
    await people.upsert_actors([actor(workspace, "U2", "sam", deleted=True)])
    for key in (ana, sam):
        with pytest.raises(UnauthenticatedError):
            await authenticator.authenticate(bearer(key))
    assert not await TokenStore(store).revoke("000000000000", NOW)


async def test_revoking_acts_within_the_time_of_the_cache(store: ForestStore, issue: Issue) -> None:
    key = await issue()
    remembering = Authenticator(store, cache_s=1.0)
    reads = count_reads(store)
    await asyncio.gather(*(remembering.authenticate(bearer(key)) for _ in range(50)))
    assert reads() == 1
    await TokenStore(store).revoke(key.token_id, NOW)
    assert await remembering.authenticate(bearer(key))
    await asyncio.sleep(1.0)
    with pytest.raises(UnauthenticatedError):
        await remembering.authenticate(bearer(key))
    await remembering.close()


async def test_wiping_a_workspace_takes_its_tokens_and_no_others(
    authenticator: Authenticator, issue: Issue, people: LogStore, store: ForestStore, workspace: str
) -> None:
    key = await issue(actor=None)
    counts = await people.counts(workspace)
    assert "tokens" not in counts
    await people.wipe(workspace)
    assert await TokenStore(store).list(workspace) == []
    # Made again under the same name, it does not answer to the old token.
    await people.upsert_workspace(workspace)
    with pytest.raises(UnauthenticatedError):
        await authenticator.authenticate(bearer(key))


async def test_no_token_is_made_for_nobody(
    issue: Issue, store: ForestStore, workspace: str
) -> None:
    for name in ("U3", "lee", "Kim Stone", "nobody", f"{workspace}/a/U3", "other/a/U1", ""):
        with pytest.raises(UnknownActorError):
            await issue(actor=name)
    assert (await issue(actor=f"{workspace}/a/U4")).text
    from egcforest.graph.token_store import StoredToken

    lost = StoredToken("0" * 12, "nowhere", "x", None, ("read",), "0" * 64, NOW)
    with pytest.raises(UnknownWorkspaceError, match="nowhere"):
        await TokenStore(store).create(lost)
    foreign = StoredToken("0" * 12, workspace, "x", "other/a/U1", ("read",), "0" * 64, NOW)
    with pytest.raises(UnknownActorError):
        await TokenStore(store).create(foreign)
    assert await TokenStore(store).find("0" * 12) is None


async def test_its_use_is_noted_once_in_minutes(
    authenticator: Authenticator, issue: Issue, store: ForestStore
) -> None:
    key = await issue()
    writes = count_writes(store)
    for _ in range(20):
        await authenticator.authenticate(bearer(key))
    await asyncio.gather(*authenticator._notes)
    assert writes() == 1
    stored = await TokenStore(store).find(key.token_id)
    assert stored is not None
    assert stored.last_used_at is not None
    assert stored.last_used_at.second == 0
    assert datetime.now(UTC) - stored.last_used_at < timedelta(minutes=2)
    # Another process sees that it was noted a moment ago.
    other = Authenticator(store, cache_s=0)
    await other.authenticate(bearer(key))
    await asyncio.gather(*other._notes)
    assert writes() == 1


async def test_unknown_scopes_open_nothing(
    authenticator: Authenticator, store: ForestStore, people: LogStore, workspace: str
) -> None:
    from egcforest.graph.token_store import StoredToken

    key = ApiKey.new()
    await TokenStore(store).create(
        StoredToken(key.token_id, workspace, "x", None, ("read", "fly"), key.digest, NOW)
    )
    assert (await authenticator.authenticate(bearer(key))).scopes == {READ}


# On behalf of another


async def ask_for(
    authenticator: Authenticator, key: ApiKey, target: str | None, request_id: str = ""
) -> Principal:
    return await authenticator.authenticate(bearer(key), on_behalf_of=target, request_id=request_id)


async def test_an_agent_sees_what_the_other_sees_and_nothing_of_its_own(
    authenticator: Authenticator, issue: Issue, people: LogStore, workspace: str
) -> None:
    key = await issue(READ, ON_BEHALF, ADMIN, actor="B1")
    own = await ask_for(authenticator, key, None)
    assert (await people.scope(workspace, own.actor)).audiences == ("public", "C3")
    for name in ("U2", f"{workspace}/a/U2", "Sam Okafor", "sam@example.org"):
        found = await ask_for(authenticator, key, name)
        assert (found.actor, found.behind) == (f"{workspace}/a/U2", f"{workspace}/a/B1")
        assert (await people.scope(workspace, found.actor)).audiences == ("public", "C2")
        # To read, and nothing else; not on behalf of a third either.
        assert found.scopes == {READ}


async def test_an_agent_that_is_nobody_is_named_by_its_token(
    authenticator: Authenticator, issue: Issue
) -> None:
    key = await issue(READ, ON_BEHALF, actor=None)
    assert (await ask_for(authenticator, key, "U2")).behind == f"token:{key.token_id}"


@pytest.mark.parametrize("scopes", [(READ,), (ADMIN,), (READ, INGEST, ADMIN)])
async def test_asking_on_behalf_takes_a_scope_of_its_own(
    authenticator: Authenticator, issue: Issue, scopes: tuple[TokenScope, ...]
) -> None:
    key = await issue(*scopes, actor="U1")
    # Not even for oneself: the header is never left out of account.
    for name in ("U2", "U1", "nobody", ""):
        with pytest.raises(ForbiddenError, match="'on_behalf'"):
            await ask_for(authenticator, key, name)


async def test_reading_on_behalf_takes_read_too(authenticator: Authenticator, issue: Issue) -> None:
    key = await issue(ON_BEHALF, INGEST, actor="B1")
    assert (await ask_for(authenticator, key, "U2")).scopes == frozenset()


async def test_nobody_else_can_be_asked_for(
    authenticator: Authenticator, issue: Issue, people: LogStore, store: ForestStore, workspace: str
) -> None:
    other = f"{workspace}-other"
    await people.upsert_workspace(other)
    await people.upsert_actors([actor(other, "U9", "foreign")])
    key = await issue(READ, ON_BEHALF, actor="B1")
    answers = set()
    for name in (
        "nobody", "U3", "lee", "Kim Stone", "Okafor", "u2", "U9", "foreign", "", " ", "*",
        f"{other}/a/U9", f"{workspace}/a/U9", f"{workspace}/a/U3", f"{workspace}/c/C2",
        "U2, U1", "U2\x00", "\ud800", "x" * 10_000, "null", "\u212aim Stone",
    ):  # fmt: skip
        with pytest.raises(ForbiddenError) as info:
            await ask_for(authenticator, key, name)
        answers.add(str(info.value))
    assert len(answers) == 1
    assert not any(word in str(answers) for word in (other, "U9", "foreign", workspace))
    await people.wipe(other)


async def test_it_is_logged_by_keys_alone(
    authenticator: Authenticator, issue: Issue, workspace: str, caplog: pytest.LogCaptureFixture
) -> None:
    key = await issue(READ, ON_BEHALF, actor="B1")
    with caplog.at_level(logging.INFO, "egcforest.access"):
        found = await ask_for(authenticator, key, "Sam Okafor", "r-17")
        await authenticator.renew(found)  # the next event of the same stream
    (record,) = caplog.records
    assert record.token_id == key.token_id
    assert record.agent == f"{workspace}/a/B1"
    assert record.actor == f"{workspace}/a/U2"
    assert record.request_id == "r-17"
    assert "Sam" not in caplog.text
    assert key.secret not in caplog.text


# Streams that stay open


async def test_a_stream_goes_on_for_as_long_as_its_token_is_good(
    authenticator: Authenticator, issue: Issue, people: LogStore, store: ForestStore, workspace: str
) -> None:
    plain, agents = await issue(actor="U2"), await issue(READ, ON_BEHALF, actor="B1")
    own = await authenticator.authenticate(bearer(plain))
    asking = await ask_for(authenticator, agents, "U2")
    assert await authenticator.renew(own) == own
    assert await authenticator.renew(asking) == asking
    await people.upsert_actors([actor(workspace, "U2", "sam", deleted=True)])
    with pytest.raises(UnauthenticatedError):
        await authenticator.renew(own)
    with pytest.raises(ForbiddenError):
        await authenticator.renew(asking)
    await people.upsert_actors([actor(workspace, "U2", "sam")])
    assert await authenticator.renew(asking) == asking
    for key, principal in ((plain, own), (agents, asking)):
        await TokenStore(store).revoke(key.token_id, NOW)
        with pytest.raises(UnauthenticatedError):
            await authenticator.renew(principal)


async def test_a_stream_ends_with_its_token(authenticator: Authenticator, issue: Issue) -> None:
    key = await issue(lifetime=timedelta(seconds=3))
    found = await authenticator.authenticate(bearer(key))
    await asyncio.sleep(3)
    with pytest.raises(UnauthenticatedError):
        await authenticator.renew(found)


# Too many bad ones


async def test_an_address_with_too_many_bad_tokens_has_to_wait(
    store: ForestStore, issue: Issue
) -> None:
    strict = Authenticator(store, cache_s=0, failures=FailureLimit(3))
    known, new = await issue(), await issue()
    assert await strict.authenticate(bearer(known), client="10.0.0.1")
    reads = count_reads(store)
    for _ in range(2):
        with pytest.raises(UnauthenticatedError):
            await strict.authenticate(bearer(ApiKey.new()), client="10.0.0.1")
    assert reads() == 2
    for _ in range(5):
        with pytest.raises(TooManyFailuresError) as info:
            await strict.authenticate(bearer(ApiKey.new()), client="10.0.0.1")
        assert 1 <= info.value.retry_after_s <= 120
    assert reads() == 3, "the database is not asked any more"
    # Whoever was there before goes on, behind the same proxy; so does everybody elsewhere.
    assert await strict.authenticate(bearer(known), client="10.0.0.1")
    with pytest.raises(TooManyFailuresError):
        await strict.authenticate(bearer(new), client="10.0.0.1")
    assert await strict.authenticate(bearer(new), client="10.0.0.2")
    with pytest.raises(UnauthenticatedError):
        await strict.authenticate(None, client="10.0.0.1")
    await strict.close()


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("testclient", "unknown"),
    ],
)
def test_addresses_are_counted_by_network(address: str, network: str) -> None:
    assert network_of(address) == network


def count_reads(store: ForestStore):
    return _count(store, "read")


def count_writes(store: ForestStore):
    return _count(store, "write")


def _count(store: ForestStore, kind: str):
    """Counts from now on; the store is put back by the fixture below."""
    original, calls = getattr(ForestStore, kind), [0]

    async def counted(*args, **kwargs):
        calls[0] += 1
        return await original(store, *args, **kwargs)

    setattr(store, kind, counted)
    return lambda: calls[0]


@pytest.fixture(autouse=True)
def uncounted(store: ForestStore):
    yield
    for kind in ("read", "write"):
        vars(store).pop(kind, None)
