"""Tells of each response, by route and status, whoever answered it."""

from __future__ import annotations

from starlette.types import Message, Receive, Scope, Send

from ..graphql.reports import Stopwatch
from .middleware import RequestMiddleware
from .monitors import Monitors
from .reports import ResponseReport

_ROUTES = ("/graphql", "/uploads", "/healthz", "/readyz")
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_UPGRADED = 101
_REFUSED = 403


class CountingMiddleware(RequestMiddleware):
    """Tells the observers of responses of each one when it begins."""

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, and look at what is answered."""
        monitors: Monitors = scope["app"].state.monitors
        watch = Stopwatch()
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            if not begun and (status := _status(message)):
                begun = True
                report = ResponseReport(
                    request_id=scope["state"]["request_id"],
                    route=_route(scope["path"]),
                    method=_method(scope),
                    status=status,
                    duration_ms=watch.ms,
                )
                for observe in monitors.responses:
                    observe(report)
            await send(message)

        await self._app(scope, receive, sending)


def _status(message: Message) -> int:
    """The status that a message begins a response with; 0 if it begins none."""
    kind = message["type"]
    if kind.endswith("http.response.start"):
        return int(message["status"])
    # A WebSocket that is closed before it was opened gets this from the server.
    return {"websocket.accept": _UPGRADED, "websocket.close": _REFUSED}.get(kind, 0)


def _method(scope: Scope) -> str:
    if scope["type"] == "websocket":
        return "WEBSOCKET"
    # Clients may send any word as a method, and it would stand in the log.
    return scope["method"] if scope["method"] in _METHODS else "other"


def _route(path: str) -> str:
    # A label for each path that anybody makes up would fill the memory.
    for route in _ROUTES:
        if path == route or path.startswith(f"{route}/"):
            return route
    return "other"
