"""Responses that are no operation: each names its request, and the log has it under that name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from egcforest.api.access.principal import TokenScope
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.store import ForestStore
from tests.api.conftest import EXECUTABLE, Cli
from tests.api.jobs.conftest import START, announce
from tests.api.serving import Api, ServeProcess, own_workspace, serve_process

CANARY = "xylophone-heptagon-quicksilver"
CONTENT = b'{"channel": "c", "id": "1", "time": "2026-03-02T09:00:00Z", "author": "u"}'


@pytest.fixture
async def workspace(store: ForestStore) -> Any:
    async with own_workspace(store) as name:
        yield name


@pytest.fixture(scope="module")
def served(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    folder = tmp_path_factory.mktemp("serve")
    environment = cli.environment(
        EGCFOREST_DATA_DIR=str(folder / "data"), EGCFOREST_SERVE_MAX_BODY_BYTES="2048"
    )
    command = (str(EXECUTABLE), "serve", "--port", "0")
    with serve_process(command, environment, folder / "log") as process:
        yield process


def lines_of(served: ServeProcess, response: httpx.Response) -> list[dict[str, Any]]:
    """What the log has of the request that was answered so."""
    request_id = response.headers["x-request-id"]
    return [line for line in served.lines() if line.get("request_id") == request_id]


def line_of(served: ServeProcess, response: httpx.Response) -> dict[str, Any]:
    (line,) = [one for one in lines_of(served, response) if one["logger"] == "egcforest.responses"]
    assert line["status"] == response.status_code
    assert line["ms"] >= 0
    return line


def started(client: httpx.Client) -> Any:
    """An upload that waits for its bytes."""
    announced = announce(CONTENT, "chat.jsonl")
    answer = client.post("/graphql", json={"query": START, "variables": {"input": announced}})
    return answer.json()["data"]["startUpload"]


def client_of(
    served: ServeProcess, workspace: str, connection: ConnectionConfig, *scopes: TokenScope
) -> httpx.Client:
    api = Api(served.url, workspace, connection)
    return api.client(api.token(None, *scopes))


def test_what_is_refused_stands_in_the_log(
    served: ServeProcess, workspace: str, connection: ConnectionConfig
) -> None:
    refused = httpx.post(f"{served.url}/graphql?q={CANARY}", content=CANARY)
    assert refused.status_code == 401
    assert refused.json()["errors"][0]["extensions"]["requestId"] == refused.headers["x-request-id"]
    line = line_of(served, refused)
    assert (line["route"], line["method"]) == ("/graphql", "POST")
    nowhere = httpx.request(CANARY.replace("-", "").upper(), f"{served.url}/{CANARY}")
    line = line_of(served, nowhere)
    assert (line["route"], line["method"]) == ("other", "other")
    with client_of(served, workspace, connection) as client:
        other = client.post("/graphql", content=CANARY, headers={"Content-Type": "text/plain"})
        assert line_of(served, other)["status"] == 415
        long = client.post("/graphql", json={"query": CANARY * 200})
        assert line_of(served, long)["status"] == 413
        missing = client.put(f"/uploads/{CANARY}", content=CANARY)
        assert line_of(served, missing)["status"] in (403, 404)
        # What has gone well has the line of its operation alone.
        good = client.post("/graphql", json={"query": "{ serviceVersion }"})
        assert [one["logger"] for one in lines_of(served, good)] == ["egcforest.operations"]
    text = served.log.read_text("utf-8").lower()
    for canary in (CANARY, *CANARY.split("-")):
        assert canary not in text


def test_an_upload_stands_in_the_log(
    served: ServeProcess, workspace: str, connection: ConnectionConfig
) -> None:
    with client_of(served, workspace, connection, TokenScope.INGEST) as client:
        upload = started(client)["upload"]
        response = client.put(upload["url"], content=CONTENT)
    line = line_of(served, response)
    assert (line["route"], line["method"], line["status"]) == ("/uploads", "PUT", 200)


async def test_an_unforeseen_error_is_logged_under_the_id_that_its_answer_has(
    served: ServeProcess, workspace: str, connection: ConnectionConfig, store: ForestStore
) -> None:
    with client_of(served, workspace, connection, TokenScope.INGEST) as client:
        begun = started(client)
        # A row that the service itself never writes.
        spoil = "MATCH (j:Job {workspace: $workspace}) SET j.file = $file"
        await store.run_autocommit(spoil, {"workspace": workspace, "file": CANARY})
        response = client.put(begun["upload"]["url"], content=CONTENT)
    assert response.status_code == 500
    (error,) = response.json()["errors"]
    assert error["extensions"]["code"] == "INTERNAL"
    assert error["extensions"]["requestId"] == response.headers["x-request-id"]
    assert CANARY not in response.text
    assert response.headers["x-content-type-options"] == "nosniff"
    assert line_of(served, response)["status"] == 500
    (unforeseen,) = [line for line in lines_of(served, response) if line["level"] == "error"]
    assert unforeseen["errors"][0]["type"] == "builtins.ValueError"
    assert CANARY not in served.log.read_text("utf-8")
