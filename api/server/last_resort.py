"""Errors that nothing else has answered: logged and answered with the id of the request."""

from __future__ import annotations

from starlette.types import Message, Receive, Scope, Send

from .middleware import RequestMiddleware
from .responses import error_response, explained


class LastResortMiddleware(RequestMiddleware):
    """Answers what was raised on purpose by nobody.

    Starlette would answer outside of all middleware, and so without the headers that every
    answer has. It stands within those that set them.
    """

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, and answer what went wrong unless an answer has begun."""
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            request_id = scope["state"]["request_id"]
            shown = explained(error, request_id)
            if begun:
                # Half an answer must not look like a whole one: the server cuts it off.
                raise
            # On a WebSocket this answers the handshake, as HTTP.
            await error_response(shown, request_id)(scope, receive, sending)
