"""Sign-in and rate stand before everything: nothing of a request is read before its token."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ...text.errors import EGCForestError
from ..access.credentials import Credentials
from ..access.principal import Principal
from ..graphql.context import Runtime
from .middleware import RequestMiddleware
from .responses import error_response, explained

OPEN_PATHS = frozenset({"/healthz", "/readyz"})
"""What an orchestrator asks without a token; the answers hold nothing of anybody."""


class AuthenticationMiddleware(RequestMiddleware):
    """Refuses requests without a good token, and too many with one, but on the open paths.

    A WebSocket without the header goes through: browsers cannot set it. Its first message
    has to sign in, and nothing else is listened to before.

    Args:
        app: what comes after.
        open_page: a path that is open to GET, for the page of GraphiQL in development.
    """

    def __init__(self, app: ASGIApp, open_page: str | None = None) -> None:
        super().__init__(app)
        self._open_page = open_page

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by itself, or hand on with `principal` in the state."""
        state = scope.setdefault("state", {})
        state["principal"] = None
        if self._is_open(scope):
            await self._app(scope, receive, send)
            return
        try:
            state["principal"] = await self._principal(scope)
        except EGCForestError as error:
            # On a WebSocket this answers the handshake, as HTTP.
            shown = explained(error, state["request_id"])
            response = error_response(shown, state["request_id"])
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _principal(self, scope: Scope) -> Principal | None:
        credentials = Credentials.of_headers(Headers(scope=scope))
        if scope["type"] == "websocket" and credentials.authorization is None:
            return None
        runtime: Runtime = scope["app"].state.runtime
        client = scope["client"][0] if scope.get("client") else ""
        principal = await runtime.authenticator.authenticate(
            credentials.authorization,
            on_behalf_of=credentials.on_behalf_of,
            client=client,
            request_id=scope["state"]["request_id"],
        )
        # On a WebSocket it is the operations that count.
        if scope["type"] == "http":
            runtime.protection.count(principal, client)
        return principal

    def _is_open(self, scope: Scope) -> bool:
        if scope["type"] != "http":
            return False
        path = scope["path"]
        return path in OPEN_PATHS or (path == self._open_page and scope["method"] == "GET")
