"""What every middleware of ours has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod

from starlette.types import ASGIApp, Receive, Scope, Send


class RequestMiddleware(ABC):
    """Sees requests of HTTP and handshakes of WebSockets; the application's lifespan passes it by.

    Args:
        app: what comes after.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, by way of `serve` what is a request."""
        if scope["type"] in ("http", "websocket"):
            await self.serve(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    @abstractmethod
    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
