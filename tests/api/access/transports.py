"""The three ways to send an operation, and all bytes that come back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Subprotocol

TRANSPORTS = ("http", "events", "socket", "browser")
"""`browser`: a WebSocket that signs in by its first message, since it cannot set headers."""


# One for all: making a client reads the certificates of the world.
_CLIENT = httpx.Client(timeout=60)


@dataclass(frozen=True)
class Reply:
    """What came back.

    Attributes:
        refused: the code with which it was refused before GraphQL, 0 if it was not.
        results: results of GraphQL, one after another.
        raw: everything, headers included.
    """

    refused: int
    results: list[dict[str, Any]]
    raw: str

    @property
    def codes(self) -> set[str]:
        """Codes of all errors, before GraphQL or in it."""
        found = {
            error["extensions"]["code"]
            for result in self.results
            for error in result.get("errors", ())
        }
        if self.refused in (4401, 4403):
            found.add({4401: "UNAUTHENTICATED", 4403: "FORBIDDEN"}[self.refused])
        return found

    @property
    def data(self) -> list[Any]:
        """The values that root fields had."""
        return [
            value
            for result in self.results
            for value in (result.get("data") or {}).values()
            if value is not None
        ]


def send(
    transport: str, url: str, document: str, token: str | None, *, on_behalf_of: str | None = None
) -> Reply:
    """Send one operation and read all that comes back."""
    headers = {}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    if on_behalf_of is not None:
        headers["X-EGCForest-On-Behalf-Of"] = on_behalf_of
    match transport:
        case "http" | "events":
            accept = "application/json" if transport == "http" else "text/event-stream"
            return _post(url, document, headers | {"Accept": accept})
        case "socket":
            return _socket(url, document, headers, None)
        case "browser":
            return _socket(url, document, {}, headers)
    raise ValueError(transport)


def _post(url: str, document: str, headers: dict[str, str]) -> Reply:
    answer = _CLIENT.post(f"{url}/graphql", json={"query": document}, headers=headers)
    raw = f"{answer.headers}\n{answer.text}"
    refused = 0 if answer.status_code == httpx.codes.OK else answer.status_code
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        lines = [ln.removeprefix("data: ") for ln in answer.text.splitlines() if "data: {" in ln]
        return Reply(refused, [json.loads(line) for line in lines], raw)
    return Reply(refused, [answer.json()], raw)


def _socket(
    url: str, document: str, headers: dict[str, str], payload: dict[str, str] | None
) -> Reply:
    raw: list[str] = []
    results: list[dict[str, Any]] = []
    try:
        with connect(
            url.replace("http", "ws") + "/graphql",
            subprotocols=[Subprotocol("graphql-transport-ws")],
            additional_headers=headers,
            max_size=2**26,
        ) as connection:
            try:
                start = {"type": "connection_init"} | ({"payload": payload} if payload else {})
                connection.send(json.dumps(start))
                raw.append(str(connection.recv(timeout=60)))
                asked = {"type": "subscribe", "id": "1", "payload": {"query": document}}
                connection.send(json.dumps(asked))
                while True:
                    raw.append(str(connection.recv(timeout=60)))
                    message = json.loads(raw[-1])
                    if message["type"] == "next":
                        results.append(message["payload"])
                    elif message["type"] == "error":
                        results.append({"errors": message["payload"]})
                    if message["type"] in ("complete", "error"):
                        return Reply(0, results, "\n".join(raw))
            except ConnectionClosed as closed:
                reason = closed.rcvd.reason if closed.rcvd else ""
                code = closed.rcvd.code if closed.rcvd else 0
                return Reply(code, results, "\n".join([*raw, reason]))
    except InvalidStatus as refused:
        response = refused.response
        body = response.body.decode()
        return Reply(response.status_code, [json.loads(body)], f"{response.headers}\n{body}")
