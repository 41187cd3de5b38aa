"""Documents by their hash: automatic persisted queries, and the documents that alone may be run."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from egcforest.api.errors import ApiError, SettingsError
from egcforest.api.graphql.persisted import PersistedDocuments, hash_of, load_trusted
from egcforest.api.graphql.protection import Protection
from egcforest.api.graphql.schema import build_schema
from egcforest.api.settings import Settings
from egcforest.graph.connection import ConnectionConfig
from tests.api.server.sockets import signed_in
from tests.api.serving import Api, serving

TRANSPORTS = ("http", "events", "socket")
NAME = "query Name { workspace { name } }"
CHANNELS = "query Channels($first: Int) {\n  channels(first: $first) { nodes { name } }\n}\n"


def send(api: Api, token: str, transport: str, **payload: Any) -> dict[str, Any]:
    """The one result of an operation: its data, or its errors."""
    if transport == "socket":
        with signed_in(api.url, token) as socket:
            socket.send(json.dumps({"type": "subscribe", "id": "1", "payload": payload}))
            message = json.loads(socket.recv(timeout=60))
        found = message["payload"]
        return {"errors": found} if message["type"] == "error" else found
    accept = "text/event-stream" if transport == "events" else "application/json"
    with api.client(token, Accept=accept) as client:
        text = client.post("/graphql", json=payload).text
    if text.startswith("event: next"):
        text = text.splitlines()[1].removeprefix("data: ")
    return dict(json.loads(text))


def code(result: dict[str, Any]) -> str:
    (error,) = result["errors"]
    assert not result.get("data")
    return str(error["extensions"]["code"])


def hashed(text: str) -> dict[str, Any]:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return {"persistedQuery": {"version": 1, "sha256Hash": sha256}}


def fresh(text: str = NAME) -> str:
    """A document that no server has seen."""
    return f"{text} # {uuid.uuid4().hex}"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_document_is_sent_once_and_named_from_then_on(api: Api, transport: str) -> None:
    token, text = api.token(), fresh()
    unknown = send(api, token, transport, extensions=hashed(text))
    assert code(unknown) == "PERSISTED_QUERY_NOT_FOUND"
    assert unknown["errors"][0]["message"] == "PersistedQueryNotFound", "what Apollo looks for"
    first = send(api, token, transport, query=text, extensions=hashed(text))
    assert first["data"] == {"workspace": {"name": api.workspace}}
    named = hashed(text)
    assert send(api, token, transport, extensions=named)["data"] == first["data"]
    named["persistedQuery"]["sha256Hash"] = named["persistedQuery"]["sha256Hash"].upper()
    assert send(api, token, transport, extensions=named)["data"] == first["data"]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_nobody_can_put_another_document_behind_a_hash(api: Api, transport: str) -> None:
    token, text = api.token(), fresh()
    other = fresh("{ serviceVersion }")
    assert code(send(api, token, transport, query=other, extensions=hashed(text))) == "BAD_INPUT"
    again = send(api, token, transport, extensions=hashed(text))
    assert code(again) == "PERSISTED_QUERY_NOT_FOUND"


def test_what_is_refused_or_not_named_is_not_kept(api: Api) -> None:
    token = api.token()
    for text, refused in (
        (fresh("{ nothingLikeThis }"), "BAD_INPUT"),
        (fresh("{ workspace { name }"), "BAD_INPUT"),
        (fresh("{" + " ".join(f"a{n}: serviceVersion" for n in range(100)) + "}"), "COST_LIMIT"),
    ):
        assert code(send(api, token, "http", query=text, extensions=hashed(text))) == refused
        again = send(api, token, "http", extensions=hashed(text))
        assert code(again) == "PERSISTED_QUERY_NOT_FOUND"
    text = fresh()
    assert send(api, token, "http", query=text)["data"]
    again = send(api, token, "http", extensions=hashed(text))
    assert code(again) == "PERSISTED_QUERY_NOT_FOUND"


@pytest.mark.parametrize(
    "given",
    [
        "abc",
        {"version": 1},
        {"version": 2, "sha256Hash": "0" * 64},
        {"version": 1, "sha256Hash": ["0" * 64]},
    ],
)
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_malformed_name_is_refused(api: Api, transport: str, given: object) -> None:
    result = send(api, api.token(), transport, query=NAME, extensions={"persistedQuery": given})
    assert code(result) == "BAD_INPUT"


def test_memory_for_documents_is_bounded() -> None:
    documents = PersistedDocuments()
    many = [f"{{ a{n} }}" for n in range(1100)]
    for text in many:
        documents.remember(text, hashed(text))
    with pytest.raises(ApiError, match="PersistedQueryNotFound"):
        documents.text(None, hashed(many[0]))
    assert documents.text(None, hashed(many[-1])) == many[-1]
    long = [f"{{ a{n} }}".ljust(1024 * 1024) for n in range(20)]
    for text in long:
        documents.remember(text, hashed(text))
    for text in (many[-1], long[0]):
        with pytest.raises(ApiError, match="PersistedQueryNotFound"):
            documents.text(None, hashed(text))
    assert documents.text(None, hashed(long[-1])) == long[-1]


@pytest.fixture(scope="module")
def strict(
    api: Api, connection: ConnectionConfig, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Api]:
    """A server that runs two documents and no others."""
    folder = tmp_path_factory.mktemp("trusted")
    (folder / "name.graphql").write_text(NAME, "utf-8")
    (folder / "more").mkdir()
    (folder / "more" / "channels.graphql").write_text(CHANNELS, "utf-8")
    with serving(connection, api.workspace, serve_trusted_documents=folder) as running:
        yield running


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_trusted_document_is_run_by_text_and_by_hash(strict: Api, transport: str) -> None:
    token = strict.token()
    named = {"data": {"workspace": {"name": strict.workspace}}}
    assert send(strict, token, transport, query=NAME) == named
    assert send(strict, token, transport, extensions=hashed(NAME)) == named
    for first in (1, 2):
        found = send(
            strict, token, transport, extensions=hashed(CHANNELS), variables={"first": first}
        )
        assert len(found["data"]["channels"]["nodes"]) == first


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_what_is_not_trusted_is_not_run(strict: Api, transport: str) -> None:
    token = strict.token()
    for text in (
        "{ serviceVersion }",
        f"{NAME} ",
        NAME.replace("name", "name serviceVersion: name"),
        "{ __schema { types { name } } }",
        "mutation { rebuild { id } }",
        "subscription { ingestJobProgress(id: 1) { id } }",
        "{ this is no document",
        "",
    ):
        assert code(send(strict, token, transport, query=text)) == "FORBIDDEN", text
        # Not even after it was sent: nothing is learnt here.
        both = send(strict, token, transport, query=text, extensions=hashed(text))
        assert code(both) == "FORBIDDEN", text
        assert code(send(strict, token, transport, extensions=hashed(text))) == "FORBIDDEN", text
    # The hash of a trusted one opens no other.
    assert (
        code(send(strict, token, transport, query="{ serviceVersion }", extensions=hashed(NAME)))
        == "BAD_INPUT"
    )


def test_trusted_documents_come_in_three_shapes(tmp_path: Path) -> None:
    one = tmp_path / "one.graphql"
    one.write_text(NAME, "utf-8")
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"a": NAME, "b": CHANNELS}), "utf-8")
    assert load_trusted(one) == load_trusted(tmp_path) == {hash_of(NAME): NAME}
    assert load_trusted(manifest) == {hash_of(NAME): NAME, hash_of(CHANNELS): CHANNELS}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("absent.json", None, "cannot be read"),
        ("absent.graphql", None, "cannot be read"),
        ("list.json", '["{ serviceVersion }"]', "no JSON object of strings"),
        ("broken.json", "{", "cannot be read"),
        ("empty.json", "{}", "There is no document in"),
        ("unknown.graphql", "{ nothingLikeThis }", "cannot be run"),
        ("broken.graphql", "{ serviceVersion", "cannot be run"),
    ],
)
def test_trusted_documents_that_cannot_be_used_are_refused_at_the_start(
    tmp_path: Path, name: str, content: str | None, said: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content, "utf-8")
    settings = Settings(serve_trusted_documents=path)
    with pytest.raises(SettingsError, match=said) as caught:
        Protection(build_schema(development=False).core, settings)
    assert name in str(caught.value)
