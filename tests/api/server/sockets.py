"""WebSockets as a client of graphql-transport-ws opens them."""

from __future__ import annotations

import json

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol


def opened(url: str, **headers: str) -> ClientConnection:
    """A WebSocket to the schema of the server at `url`, before its first message."""
    return connect(
        url.replace("http", "ws", 1) + "/graphql",
        subprotocols=[Subprotocol("graphql-transport-ws")],
        additional_headers=headers,
    )


def signed_in(url: str, token: str) -> ClientConnection:
    """One that has greeted and was greeted."""
    connection = opened(url, Authorization=f"Bearer {token}")
    connection.send('{"type": "connection_init"}')
    assert json.loads(connection.recv(timeout=30))["type"] == "connection_ack"
    return connection
