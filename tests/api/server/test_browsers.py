"""What pages in browsers may do: of which origins, and with GraphiQL."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from egcforest.api.errors import SettingsError
from egcforest.api.settings import load_settings
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.store import ForestStore
from tests.api.server.sockets import opened
from tests.api.serving import Api, own_workspace, serving

DASHBOARD = "https://dashboard.example.org"
FOREIGN = "https://evil.example.net"
INTROSPECTION = "{ __schema { queryType { name } } }"


@pytest.fixture(scope="module")
async def workspace(store: ForestStore) -> AsyncIterator[str]:
    async with own_workspace(store) as name:
        yield name


@pytest.fixture(scope="module")
def production(workspace: str, connection: ConnectionConfig) -> Iterator[Api]:
    origins = "HTTPS://Dashboard.example.org:443, http://localhost:3000"
    with serving(
        connection, workspace, serve_cors_origins=origins, serve_rate_per_minute=6
    ) as running:
        yield running


@pytest.fixture(scope="module")
def development(workspace: str, connection: ConnectionConfig) -> Iterator[Api]:
    with serving(connection, workspace, serve_development=True) as running:
        yield running


def preflight(api: Api, origin: str, method: str = "POST") -> httpx.Response:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization,content-type",
    }
    return httpx.options(f"{api.url}/graphql", headers=headers)


@pytest.mark.parametrize("origin", [DASHBOARD, "http://localhost:3000"])
def test_a_page_of_a_listed_origin_may_ask(production: Api, origin: str) -> None:
    for method in ("POST", "PUT"):
        asked = preflight(production, origin, method)
        assert asked.status_code == 200
        assert asked.headers["access-control-allow-origin"] == origin
        assert "credentials" not in " ".join(asked.headers)
    # It can read an error too, and the id that it has.
    answer = httpx.post(f"{production.url}/graphql", headers={"Origin": origin})
    assert answer.status_code == 401
    assert answer.headers["access-control-allow-origin"] == origin
    assert "X-Request-Id" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize(
    "origin", [FOREIGN, "https://dashboard.example.org.evil.example.net", "null", DASHBOARD + ":8"]
)
def test_a_page_of_another_origin_may_not(production: Api, origin: str) -> None:
    asked = preflight(production, origin)
    assert asked.status_code == 400
    assert "access-control-allow-origin" not in asked.headers
    answer = httpx.post(f"{production.url}/graphql", headers={"Origin": origin})
    assert "access-control-allow-origin" not in answer.headers


def test_a_listed_origin_may_do_no_more_than_the_service_needs(production: Api) -> None:
    assert preflight(production, DASHBOARD, "DELETE").status_code == 400


def test_a_page_of_another_origin_opens_no_websocket(production: Api) -> None:
    for origin in (FOREIGN, "null"):
        with pytest.raises(InvalidStatus) as refused:
            opened(production.url, Origin=origin)
        assert refused.value.response.status_code == 403
    opened(production.url, Origin=DASHBOARD).close()
    opened(production.url).close()


@pytest.mark.parametrize(
    "entry",
    [
        "*",
        "https://*.example.org",
        "dashboard.example.org",
        "https://dashboard.example.org/",
        "https://dashboard.example.org/app",
        "https://ana@dashboard.example.org",
        "https://dashboard.example.org?",
        "https://",
        "null",
    ],
)
def test_what_is_no_origin_is_named(
    entry: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EGCFOREST_SERVE_CORS_ORIGINS", f"{DASHBOARD}, {entry}")
    with pytest.raises(SettingsError, match=re.escape(repr(entry))) as refused:
        load_settings()
    assert "EGCFOREST_SERVE_CORS_ORIGINS" in refused.value.message


def test_an_upload_counts_once_against_the_rate(production: Api) -> None:
    with production.client(production.token()) as client:
        codes = [client.put("/uploads/none", content=b"").status_code for _ in range(9)]
    assert set(codes) == {403, 429}
    # One more where a minute of the clock ends meanwhile.
    assert 6 <= codes.count(403) <= 7


def asked(api: Api, token: str | None, **body: Any) -> httpx.Response:
    with api.client(token) as client:
        return client.post("/graphql", json=body)


def test_development_has_graphiql_and_introspection(development: Api) -> None:
    page = httpx.get(f"{development.url}/graphql", headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert "graphiql" in page.text.lower()
    assert "unsafe-inline" in page.headers["content-security-policy"]
    # The page is open; what it asks is not.
    assert asked(development, None, query=INTROSPECTION).status_code == 401
    answer = asked(development, development.token(), query=INTROSPECTION)
    assert answer.json() == {"data": {"__schema": {"queryType": {"name": "Query"}}}}
    found = httpx.get(
        f"{development.url}/graphql",
        params={"query": "{ serviceVersion }"},
        headers={"Accept": "application/json", "Authorization": f"Bearer {development.token()}"},
    )
    assert found.status_code >= 400


def test_production_has_neither(production: Api) -> None:
    page = httpx.get(f"{production.url}/graphql", headers={"Accept": "text/html"})
    assert page.status_code == 401
    answer = asked(production, production.token(), query=INTROSPECTION).json()
    assert "data" not in answer or answer["data"] is None
    assert answer["errors"][0]["extensions"]["code"]
