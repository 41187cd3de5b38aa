"""Errors that nothing else has answered: logged and answered with the id of the request."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..graphql.errors import ErrorCode, api_error
from .logs import log_unforeseen
from .responses import error_response


class LastResortMiddleware:
    """Answers what was raised on purpose by nobody.

    Starlette would answer outside of all middleware, and so without the headers that every
    answer has. It stands within those that set them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, and answer what went wrong unless an answer has begun."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            request_id = scope["state"]["request_id"]
            shown = api_error(error)
            if shown.code is ErrorCode.INTERNAL:
                log_unforeseen(error, request_id)
            if begun:
                # Half an answer must not look like a whole one: the server cuts it off.
                raise
            # On a WebSocket this answers the handshake, as HTTP.
            await error_response(shown, request_id)(scope, receive, sending)
