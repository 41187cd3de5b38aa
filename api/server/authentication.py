"""Sign-in stands before everything: nothing of a request is read before its token was."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ...text.errors import EGCForestError
from ..access.principal import UnauthenticatedError
from ..graphql.context import Credentials, Runtime
from ..graphql.errors import api_error
from ..graphql.router import ON_BEHALF_OF
from .responses import error_response

OPEN_PATHS = frozenset({"/healthz", "/readyz"})
"""What an orchestrator asks without a token; the answers hold nothing of anybody."""


class AuthenticationMiddleware:
    """Refuses requests without a good token, on every path but the open ones.

    A WebSocket without the header goes through: browsers cannot set it. Its first message
    has to sign in, and nothing else is listened to before.

    Args:
        app: what comes after.
        open_page: a path that is open to GET, for the page of GraphiQL in development.
    """

    def __init__(self, app: ASGIApp, open_page: str | None = None) -> None:
        self._app = app
        self._open_page = open_page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by itself, or hand on with `principal` and `credentials` in the state."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        state.update(principal=None, credentials=Credentials(None))
        if self._is_open(scope):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        credentials = Credentials(headers.get("authorization"), headers.get(ON_BEHALF_OF))
        later = scope["type"] == "websocket" and credentials.authorization is None
        if not later:
            runtime: Runtime = scope["app"].state.runtime
            try:
                if len(headers.getlist("authorization")) > 1:
                    raise UnauthenticatedError
                state["principal"] = await runtime.authenticator.authenticate(
                    credentials.authorization, on_behalf_of=credentials.on_behalf_of
                )
            except EGCForestError as error:
                # On a WebSocket this answers the handshake, as HTTP.
                response = error_response(api_error(error), state["request_id"])
                await response(scope, receive, send)
                return
        state["credentials"] = credentials
        await self._app(scope, receive, send)

    def _is_open(self, scope: Scope) -> bool:
        if scope["type"] != "http":
            return False
        path = scope["path"]
        return path in OPEN_PATHS or (path == self._open_page and scope["method"] == "GET")
