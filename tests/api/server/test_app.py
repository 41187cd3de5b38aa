"""The application's outer shape: sign-in on every way in, errors, request ids."""

from __future__ import annotations

import json

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from tests.api.server.sockets import opened
from tests.api.serving import Api

QUERY = "{ workspace { name } serviceVersion }"
ANA = "ana"


@pytest.fixture(scope="module")
def token(api: Api) -> str:
    return api.token()


def exchange(connection: ClientConnection, query: str) -> list[dict[str, object]]:
    """What comes back for one operation, to its end."""
    connection.send(json.dumps({"type": "subscribe", "id": "1", "payload": {"query": query}}))
    messages = []
    while not messages or messages[-1]["type"] == "next":
        messages.append(json.loads(connection.recv(timeout=30)))
    return messages


def test_a_query_over_http(api: Api, token: str) -> None:
    assert api.query(QUERY, token)["data"]["workspace"] == {"name": api.workspace}


def test_a_query_over_server_sent_events(api: Api, token: str) -> None:
    with api.client(token, Accept="text/event-stream") as client:
        response = client.post("/graphql", json={"query": QUERY})
    assert response.headers["content-type"].startswith("text/event-stream")
    event, data = response.text.splitlines()[:2]
    assert event == "event: next"
    assert json.loads(data.removeprefix("data: "))["data"]["workspace"] == {"name": api.workspace}


@pytest.mark.parametrize("by", ["header", "first message"])
def test_a_query_over_websocket(api: Api, token: str, by: str) -> None:
    bearer = {"Authorization": f"Bearer {token}"}
    with opened(api.url, **(bearer if by == "header" else {})) as connection:
        payload = {} if by == "header" else bearer
        connection.send(json.dumps({"type": "connection_init", "payload": payload}))
        assert json.loads(connection.recv())["type"] == "connection_ack"
        messages = exchange(connection, QUERY)
    assert [message["type"] for message in messages] == ["next", "complete"]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
@pytest.mark.parametrize("authorization", [None, "Bearer wrong", "Basic YTpi", "Bearer", "\xff"])
def test_nothing_is_read_without_a_token(api: Api, accept: str, authorization: str | None) -> None:
    headers = {} if authorization is None else {b"Authorization": authorization.encode("latin-1")}
    response = httpx.post(
        f"{api.url}/graphql", headers=headers | {b"Accept": accept.encode()}, content=b"no json"
    )
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"
    (error,) = response.json()["errors"]
    assert error["extensions"]["code"] == "UNAUTHENTICATED"
    assert error["extensions"]["requestId"] == response.headers["x-request-id"]


def test_a_websocket_with_a_bad_header_is_refused(api: Api) -> None:
    with pytest.raises(InvalidStatus) as refused:
        opened(api.url, Authorization="Bearer wrong")
    assert refused.value.response.status_code == 401


@pytest.mark.parametrize("payload", [{}, {"Authorization": "Bearer wrong"}, None])
def test_a_websocket_that_does_not_sign_in_is_closed(api: Api, payload: object) -> None:
    with opened(api.url) as connection:
        connection.send(json.dumps({"type": "connection_init", "payload": payload}))
        with pytest.raises(ConnectionClosed):
            connection.recv(timeout=30)
        assert connection.close_code == 4401


def test_a_websocket_that_asks_before_it_signs_in_is_closed(api: Api) -> None:
    with opened(api.url) as connection:
        with pytest.raises(ConnectionClosed):
            exchange(connection, QUERY)
        assert connection.close_code == 4401


def test_get_is_off(api: Api, token: str) -> None:
    with api.client(token) as client:
        for accept in ("text/html", "application/json", "text/event-stream"):
            response = client.get("/graphql", params={"query": QUERY}, headers={"Accept": accept})
            assert response.status_code in (400, 404, 405)
            assert api.workspace not in response.text
