"""Counts what comes in by route and status, whoever answered it."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .monitors import Monitors

_ROUTES = ("/graphql", "/uploads", "/healthz", "/readyz")
_UPGRADED = 101


class CountingMiddleware:
    """Tells the observers of requests the route, one of few, and the status of each response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, and look at what is answered."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        monitors: Monitors = scope["app"].state.monitors

        async def sending(message: Message) -> None:
            status = 0
            if message["type"] == "websocket.accept":
                status = _UPGRADED
            elif message["type"].endswith("http.response.start"):
                status = message["status"]
            if status:
                for observe in monitors.requests:
                    observe(_route(scope["path"]), status)
            await send(message)

        await self._app(scope, receive, sending)


def _route(path: str) -> str:
    # A label for each path that anybody makes up would fill the memory.
    for route in _ROUTES:
        if path == route or path.startswith(f"{route}/"):
            return route
    return "other"
