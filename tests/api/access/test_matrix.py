"""Every operation by every way in, with every kind of wrong token, against a real server.

Operations come from the schema, so that a new one is tried without anybody thinking of it.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from egcforest.api.access.principal import TokenScope
from egcforest.api.access.tokens import ApiKey
from egcforest.api.engine import Engine
from egcforest.api.server.app import create_app
from egcforest.api.server.authentication import OPEN_PATHS
from egcforest.api.server.lifespan import ServeConfig
from egcforest.api.settings import Settings
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.store import ForestStore
from tests.api.access.operations import Operation, as_literal, operations
from tests.api.access.transports import TRANSPORTS, Reply, send
from tests.api.access.world import MEMBER, OUTSIDER, PRIVATE_WORDS, PUBLIC_WORDS, write
from tests.api.conftest import Cli
from tests.api.serving import Api, serving

READ, INGEST, ADMIN, ON_BEHALF = TokenScope
# Of the same length, since lengths are counted against budgets.
HIDING, OPEN, OTHER = "mx-hiding", "mx-open-x", "mx-other-"
WORKSPACES = (HIDING, OPEN, OTHER)
SECRET = re.compile("|".join((*PRIVATE_WORDS, *PUBLIC_WORDS, *WORKSPACES)), re.IGNORECASE)
HIDDEN = re.compile("|".join((*PRIVATE_WORDS, OPEN, OTHER)), re.IGNORECASE)

each_operation = pytest.mark.parametrize("operation", operations(), ids=str)
each_query = pytest.mark.parametrize(
    "operation", [one for one in operations() if one.kind == "query"], ids=str
)
each_transport = pytest.mark.parametrize("transport", TRANSPORTS)


@dataclass(frozen=True)
class World:
    """A server over three workspaces, and tokens for it.

    Attributes:
        api: the server.
        keys: of every node of the workspace that hides something.
    """

    api: Api
    keys: tuple[str, ...]

    def send(self, transport: str, document: str, token: str | None, **more: Any) -> Reply:
        return send(transport, self.api.url, document, token, **more)

    def token(self, *scopes: TokenScope, actor: str | None = OUTSIDER, **more: Any) -> str:
        return _token(self.api, actor, scopes, tuple(more.items()))


@cache
def _token(api: Api, actor: str | None, scopes: Any, more: Any) -> str:
    return api.token(actor, *scopes, **dict(more))


@pytest.fixture(scope="module")
def world(
    cli: Cli, connection: ConnectionConfig, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("world")
    for workspace in WORKSPACES:
        export = write(folder / f"{workspace}.jsonl", private=workspace == HIDING)
        done = cli("ingest", str(export), "--workspace", workspace)
        assert done.code == 0, done.err
    limits = {
        "serve_max_cost": 10**9,
        "serve_max_depth": 100,
        "serve_max_fields": 2000,
        "serve_max_aliases": 1000,
        "serve_max_query_tokens": 100_000,
        "serve_rate_per_minute": 10**6,
    }
    with serving(connection, HIDING, **limits) as api:
        yield World(api, tuple(asyncio.run(_keys(connection))))
    for workspace in WORKSPACES:
        assert cli("wipe", "-w", workspace, "--yes").code == 0


async def _keys(connection: ConnectionConfig) -> list[str]:
    async with await ForestStore.open(connection) as store, store._session() as session:
        result = await session.run(
            "MATCH (n {workspace: $w}) WHERE NOT n:AccessToken AND NOT n:Job "
            "RETURN n.key AS key ORDER BY key",
            w=HIDING,
        )
        return [record["key"] async for record in result]


# Tokens that are no good


@pytest.fixture(scope="module")
def bad_tokens(world: World) -> dict[str, str | None]:
    good = world.token(READ, INGEST, ADMIN, ON_BEHALF, actor=MEMBER)
    revoked = world.api.token(MEMBER, ADMIN)
    world.api.revoke(revoked)
    key = ApiKey.parse(good)
    assert key is not None
    return {
        "none": None,
        "malformed": "nonsense",
        "cut off": good[:-1],
        "another's secret": ApiKey(key.token_id, ApiKey.new().secret).text,
        "unknown": ApiKey.new().text,
        "expired": world.api.token(MEMBER, ADMIN, lifetime=timedelta(microseconds=1)),
        "revoked": revoked,
        "a JWT": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.",
    }


@each_transport
@each_operation
def test_without_a_good_token_nothing_comes_back(
    world: World, bad_tokens: dict[str, str | None], operation: Operation, transport: str
) -> None:
    document = operation.document()
    for what, token in bad_tokens.items():
        reply = world.send(transport, document, token)
        assert reply.refused in (401, 4401), what
        assert reply.codes == {"UNAUTHENTICATED"}, what
        assert not reply.data
        assert not SECRET.search(reply.raw)


def routes(found: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Methods and paths; FastAPI keeps those of an included router in that router."""
    for route in found:
        if (router := getattr(route, "original_router", None)) is not None:
            yield from routes(router.routes)
        for method in getattr(route, "methods", None) or ():
            yield method, re.sub(r"{[^}]*}", "x", route.path)


def test_every_route_is_closed_but_those_that_say_nothing(
    world: World, connection: ConnectionConfig
) -> None:
    app = create_app(ServeConfig(Settings(), Engine(connection, private=False)))
    known = {*routes(app.routes), ("GET", "/nowhere"), ("PUT", "/nowhere/else")}
    assert {("GET", "/healthz"), ("POST", "/graphql")} <= known
    with httpx.Client(base_url=world.api.url) as client:
        for method, path in sorted(known):
            for headers in ({}, {"Authorization": "Bearer nonsense"}):
                answer = client.request(method, path, headers=headers, content=b"x")
                assert not SECRET.search(f"{answer.headers}{answer.text}")
                if path in OPEN_PATHS:
                    assert len(answer.text) < 300
                else:
                    assert answer.status_code == 401, (method, path)


# Tokens that are good for something else


def may(scope: TokenScope, operation: Operation) -> bool:
    implied = {ADMIN: {READ, INGEST, ADMIN}}.get(scope, {scope})
    return bool(implied & set(operation.needs))


@each_transport
@each_operation
def test_a_token_with_another_scope_is_refused(
    world: World, operation: Operation, transport: str
) -> None:
    for scope in TokenScope:
        if may(scope, operation):
            continue
        reply = world.send(transport, operation.document(), world.token(scope, actor=MEMBER))
        # One answer cannot hold what a subscription has to say.
        wrong_way = operation.kind == "subscription" and transport == "http"
        assert reply.codes == {"BAD_INPUT" if wrong_way else "FORBIDDEN"}, scope
        assert not reply.data
        assert not SECRET.search(reply.raw)


@each_operation
def test_every_kind_of_operation_needs_what_it_should(operation: Operation) -> None:
    if operation.kind == "mutation":
        assert not {READ, ON_BEHALF} & set(operation.needs)
    assert ON_BEHALF not in operation.needs
    said = operation.field.description or ""
    assert all(f"`{scope}`" in said for scope in operation.needs)


@each_transport
@each_query
def test_what_is_refused_above_is_answered_with_the_right_token(
    world: World, operation: Operation, transport: str
) -> None:
    (scope, *_) = operation.needs
    reply = world.send(transport, operation.document(), world.token(scope, actor=MEMBER))
    assert reply.refused == 0
    assert not reply.codes & {"UNAUTHENTICATED", "FORBIDDEN", "INTERNAL", "UNAVAILABLE"}


# A token of another workspace


@each_transport
@each_query
def test_another_workspaces_token_sees_nothing_of_this_one(
    world: World, operation: Operation, transport: str
) -> None:
    """The other one is empty of what the key names: it is as if there were no such key."""
    token = world.token(*operation.needs, actor=None, workspace=OTHER)
    keys = sample_of(world.keys)
    if not takes_a_key(operation):
        reply = world.send(transport, operation.document(depth=1), token)
        assert not re.search(f"{HIDING}|{OPEN}", reply.raw)
        assert not leaks(reply, "")
        return
    asked = [arguments_for(operation, key) for key in keys]
    unknown = [arguments_for(operation, f"{HIDING}/a/none") for _ in keys]
    for one, two in zip(operation.documents(asked), operation.documents(unknown), strict=True):
        reply = world.send(transport, one, token)
        # Word for word, save where an error has to name what it is about.
        wanted = world.send(transport, two, token)
        assert not difference(without(keys, reply), without([f"{HIDING}/a/none"], wanted))


HIDDEN_WORDS = re.compile("|".join(PRIVATE_WORDS), re.IGNORECASE)
KEY_ARGUMENTS = {"id", "key", "subject"}
SUBJECTS = (
    "boardroom", "c-board", "Zebulon Okonkwo", "u-zeb", "vault-77", "INC-913",
    "OPS-71", "OPS-72", "ana", "u-ana", "PR #12", "Quayside",
)  # fmt: skip
TEXTS = ("Brightwater takeover INC-913", "Who plans the merger with OPS-71?", "lighthouse OPS-71")


def takes_a_key(operation: Operation) -> bool:
    return bool(KEY_ARGUMENTS & set(operation.field.args))


def sample_of(keys: tuple[str, ...]) -> tuple[str, ...]:
    """One key of each kind, and all of the private channel's."""
    return tuple(key for key in keys if "board" in key or "zeb" in key or "913" in key)[:12]


def arguments_for(operation: Operation, key: str) -> dict[str, str]:
    return {name: as_literal(key) for name in KEY_ARGUMENTS & set(operation.field.args)}


def without(keys: Iterable[str], reply: Reply) -> Any:
    """Results without what differs from one request to the next, and without the keys asked for."""
    text = json.dumps(normal(reply.results), sort_keys=True)
    for key in sorted(keys, key=len, reverse=True):
        text = text.replace(json.dumps(normal(key))[1:-1], "KEY")
    return json.loads(text)


# The right workspace, without the private channel

MARKS = re.compile(r"^([0-9a-f]{6})+$")
_VOLATILE = {"requestId", "ms", "score", "createdAt"}


def normal(value: Any) -> Any:
    """`value` without times of running, scores (Lucene counts over all) and names of workspaces;
    what cursors hold is looked into."""
    if isinstance(value, dict):
        return {k: normal(v) for k, v in value.items() if k not in _VOLATILE}
    if isinstance(value, list):
        return [normal(item) for item in value]
    if isinstance(value, str):
        if (opened := _opened(value)) is not None:
            # A search's cursor has digests of keys, which have the workspace in them.
            return [normal(MARKS.sub("mark", p)) if isinstance(p, str) else p for p in opened]
        for workspace in WORKSPACES:
            value = value.replace(workspace, "W")
    return value


def _opened(text: str) -> list[Any] | None:
    """What a cursor holds, None if `text` is none."""
    try:
        found = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except ValueError:
        return None
    return found if isinstance(found, list) else None


def requests(operation: Operation, world: World) -> Iterator[dict[str, str]]:
    """Arguments worth trying: every key there is, and texts that would meet what is private."""
    named = operation.field.args
    if {"id", "key"} & set(named):
        for key in world.keys:
            yield arguments_for(operation, key)
        return
    if "subject" in named:
        for view in ("CHANNEL", "ACTOR", "ARTIFACT"):
            for subject in SUBJECTS:
                for audience in ("null", '"c-board"', '"public"'):
                    yield {"view": view, "subject": as_literal(subject), "audience": audience}
        return
    for name in ("text", "question"):
        if name in named:
            for text in TEXTS:
                yield {name: as_literal(text)}
            return
    yield {}
    if "channel" in named:
        for ids in ('"c-board"', f'"{HIDING}/c/c-board"'):
            yield {"channel": ids}
            yield {"author": f'"{HIDING}/a/u-zeb"'}
    if "filter" in named:
        for part in ("nameStartsWith", "textStartsWith"):
            if part in named["filter"].type.fields:
                for start in ("board", "zeb", "inc", "ops", ""):
                    yield {"filter": f"{{{part}: {as_literal(start)}}}"}
    if "order" in named:
        for order in named["order"].type.of_type.values:
            yield {"order": order}


@each_query
def test_an_outsider_cannot_tell_that_there_is_something_to_hide(
    world: World, operation: Operation
) -> None:
    """The same request to a workspace that hides something and to one that has nothing to hide:
    the answers are equal, letter by letter."""
    hiding = {actor: world.token(*operation.needs, actor=actor) for actor in (OUTSIDER, None)}
    bare = {
        actor: world.token(*operation.needs, actor=actor, workspace=OPEN)
        for actor in (OUTSIDER, None)
    }
    for document in (
        *operation.documents(list(requests(operation, world))),
        *operation.documents(private_ones(operation, world)[:3]),  # less of them, but deeper
    ):
        for actor in (OUTSIDER, None):
            found = world.send("http", document, hiding[actor])
            wanted = world.send("http", document.replace(HIDING, OPEN), bare[actor])
            assert not found.codes & {"INTERNAL", "COST_LIMIT", "BAD_INPUT"}, found.raw[:900]
            assert not leaks(found, document), actor
            apart = difference(normal(found.results), normal(wanted.results))
            assert not apart, (actor, apart)


def difference(found: Any, wanted: Any, path: str = "") -> str:
    """Where two answers differ first, empty if they do not."""
    if isinstance(found, dict) and isinstance(wanted, dict) and found.keys() == wanted.keys():
        parts = ((found[key], wanted[key], f"{path}.{key}") for key in found)
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        pairs = enumerate(zip(found, wanted, strict=True))
        parts = ((one, two, f"{path}[{number}]") for number, (one, two) in pairs)
    else:
        return "" if found == wanted else f"{path}: {str(found)[:300]} != {str(wanted)[:300]}"
    return next(filter(None, (difference(*part) for part in parts)), "")


def leaks(reply: Reply, said: str) -> list[str]:
    """Words of the private channel in what came back, that the request had not said itself."""
    return [
        word
        for word in PRIVATE_WORDS
        if word.lower() in reply.raw.lower() and word.lower() not in said.lower()
    ]


def private_ones(operation: Operation, world: World) -> list[dict[str, str]]:
    """A few of the requests: those that ask for what is private first."""
    found = list(requests(operation, world))
    return sorted(found, key=lambda given: not HIDDEN_WORDS.search("".join(given.values())))[:5]


@each_transport
@each_query
def test_no_way_in_shows_more_than_another(
    world: World, operation: Operation, transport: str
) -> None:
    for document in operation.documents(private_ones(operation, world)):
        reply = world.send(transport, document, world.token(*operation.needs))
        assert not leaks(reply, document)


def test_a_member_sees_it_so_that_there_was_something_to_leak(world: World) -> None:
    seen = ""
    for operation in operations():
        if operation.kind == "query":
            token = world.token(*operation.needs, actor=MEMBER)
            for document in operation.documents(private_ones(operation, world)):
                seen += world.send("http", document, token).raw
    assert {word for word in PRIVATE_WORDS if word in seen} >= set(PRIVATE_WORDS) - {"vault-77"}


# On behalf of another


@each_transport
@each_query
def test_an_agent_sees_no_more_than_whom_it_asks_for(
    world: World, operation: Operation, transport: str
) -> None:
    agent = world.token(READ, INGEST, ON_BEHALF, actor=MEMBER)
    own = world.token(READ, INGEST, actor=OUTSIDER)
    for document in operation.documents(private_ones(operation, world)[:2]):
        reply = world.send(transport, document, agent, on_behalf_of=OUTSIDER)
        assert not leaks(reply, document)
        if READ in operation.needs:
            wanted = world.send(transport, document, own)
            assert not difference(normal(reply.results), normal(wanted.results))
    plain = world.token(READ, actor=MEMBER)
    refused = world.send(transport, operation.document(), plain, on_behalf_of=OUTSIDER)
    assert refused.refused in (403, 4403)
    assert refused.codes == {"FORBIDDEN"}
    for nobody in ("nobody", "", f"{OTHER}/a/{OUTSIDER}", "u-SAM"):
        refused = world.send(transport, operation.document(), agent, on_behalf_of=nobody)
        assert refused.codes == {"FORBIDDEN"}
        assert not refused.data


@pytest.mark.parametrize("operation", [o for o in operations() if o.kind == "mutation"], ids=str)
def test_nothing_is_written_on_behalf_of_another(world: World, operation: Operation) -> None:
    agent = world.token(READ, INGEST, ADMIN, ON_BEHALF, actor=MEMBER)
    reply = world.send("http", operation.document(), agent, on_behalf_of=OUTSIDER)
    assert reply.codes == {"FORBIDDEN"}


def test_the_exports_differ_in_what_is_private_alone(tmp_path: Path) -> None:
    texts = [write(tmp_path / "x", private=private).read_text() for private in (True, False)]
    assert texts[0].startswith(texts[1])
    assert not HIDDEN_WORDS.search(texts[1])
    assert all(word in texts[0] for word in PRIVATE_WORDS)
