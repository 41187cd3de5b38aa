"""Every request has an id, in the answer and in the log."""

from __future__ import annotations

import re
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-Id"
# What a proxy may hand on. Anything else could forge lines of a log.
_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{8,64}")


def request_id_of(given: str | None) -> str:
    """`given` if it can be used, else a new one."""
    return given if given and _ACCEPTED.fullmatch(given) else uuid.uuid4().hex


class RequestIdMiddleware:
    """Takes the id that a proxy gave, or makes one, and answers with it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on with `request_id` in the state."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id = request_id_of(Headers(scope=scope).get(HEADER))
        scope.setdefault("state", {})["request_id"] = request_id

        async def sending(message: Message) -> None:
            if message["type"] in (
                "http.response.start",
                "websocket.accept",
                "websocket.http.response.start",
            ):
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        await self._app(scope, receive, sending)
