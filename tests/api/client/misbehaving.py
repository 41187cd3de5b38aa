"""A real HTTP server that does to each request what its script says."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Step = Callable[[BaseHTTPRequestHandler], None]

WORKSPACE = {
    "id": "w",
    "name": "acme",
    "size": 0,
    "period": None,
    "channelCount": 0,
    "actorCount": 0,
    "artifactCount": 0,
    "asker": None,
}
JOB = {
    "id": "acme/j/1",
    "kind": "APPEND",
    "state": "RUNNING",
    "createdAt": "2026-03-01T10:00:00+00:00",
    "startedAt": None,
    "finishedAt": None,
    "attempt": 1,
    "cancelRequested": False,
    "filename": None,
    "bytes": 10,
    "counts": dict.fromkeys(("read", "added", "unchanged", "superseded", "rejected"), 0),
    "rejectionsTotal": 0,
    "rejections": [],
    "progress": None,
    "error": None,
}


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came; `port` is the other side's, one for each connection."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float
    port: int

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Misbehaving:
    """The server. Each request takes the next step of `script`; the last one stays.

    Attributes:
        received: the requests so far.
    """

    script: list[Step] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)

    def __enter__(self) -> Self:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.received.append(
                    Received(
                        self.command,
                        self.path,
                        {name.lower(): value for name, value in self.headers.items()},
                        body,
                        time.monotonic(),
                        self.client_address[1],
                    )
                )
                step = outer.script.pop(0) if len(outer.script) > 1 else outer.script[0]
                step(self)

            do_PUT = do_POST  # noqa: N815

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        # Whatever a client that goes away does to a step is of no interest.
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def wait_for(self, count: int) -> None:
        """Return when that many requests have come."""
        until = time.monotonic() + 30
        while len(self.received) < count:
            assert time.monotonic() < until
            time.sleep(0.01)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"


def reply(status: int = 200, body: Any = None, **headers: str) -> Step:
    """Answer with a body, JSON unless it is bytes."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    def step(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return step


def good(**fields: Any) -> Step:
    """Answer with data."""
    return reply(body={"data": fields or {"workspace": WORKSPACE}})


def refuse(code: str, status: int = 200, **extensions: Any) -> Step:
    """Answer with an error of the service."""
    told = {"code": code, "remedy": "Do otherwise.", "requestId": "theirs-1234", **extensions}
    body = {"data": None, "errors": [{"message": "Not so.", "extensions": told}]}
    return reply(status, body)


def cut(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection without an answer."""
    handler.close_connection = True
    handler.connection.close()


def cut_midway(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection in the middle of an answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"data":')
    cut(handler)


def slow(seconds: float, then: Step) -> Step:
    """Answer late."""

    def step(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(seconds)
        then(handler)

    return step


def drip(handler: BaseHTTPRequestHandler) -> None:
    """Send an answer without an end, a little at a time."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def events(*results: Any, complete: bool = True) -> Step:
    """Answer with a stream of events, each the result of a subscription."""

    def step(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream; charset=utf-8")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(b":\n\n")
        for result in results:
            handler.wfile.write(f"event: next\ndata: {json.dumps(result)}\n\n".encode())
        if complete:
            handler.wfile.write(b"event: complete\ndata:\n\n")
        handler.close_connection = True

    return step
