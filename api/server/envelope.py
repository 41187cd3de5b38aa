"""What every answer carries: the id of its request, and what browsers should not do with it."""

from __future__ import annotations

import re
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .middleware import RequestMiddleware

HEADER = "X-Request-Id"
# What a proxy may hand on. Anything else could forge lines of a log.
_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{8,64}")

_NO_PAGE = "default-src 'none'; frame-ancestors 'none'"
# GraphiQL's page fetches its scripts and styles from the net.
_GRAPHIQL_PAGE = (
    "default-src 'self' https: data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'none'"
)


def request_id_of(given: str | None) -> str:
    """`given` if it can be used, else a new one."""
    return given if given and _ACCEPTED.fullmatch(given) else uuid.uuid4().hex


class EnvelopeMiddleware(RequestMiddleware):
    """Takes the id that a proxy gave, or makes one, and answers with it.

    Args:
        app: what comes after.
        has_page: whether there is a page that people open in a browser.
    """

    def __init__(self, app: ASGIApp, *, has_page: bool = False) -> None:
        super().__init__(app)
        self._headers = {
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Content-Security-Policy": _GRAPHIQL_PAGE if has_page else _NO_PAGE,
        }

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on with `request_id` in the state."""
        request_id = request_id_of(Headers(scope=scope).get(HEADER))
        scope.setdefault("state", {})["request_id"] = request_id

        async def sending(message: Message) -> None:
            if message["type"] in (
                "http.response.start",
                "websocket.accept",
                "websocket.http.response.start",
            ):
                headers = MutableHeaders(scope=message)
                headers[HEADER] = request_id
                if message["type"] != "websocket.accept":
                    headers.update(self._headers)
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, sending)
