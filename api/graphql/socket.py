"""The schema over WebSocket, as graphql-transport-ws speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphql import GraphQLError
from starlette.datastructures import Headers
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import (
    BaseGraphQLTransportWSHandler,
)
from strawberry.subscriptions.protocols.graphql_transport_ws.types import (
    ConnectionInitMessage,
    Message,
    SubscribeMessage,
)

from ...text.errors import EGCForestError
from ..access.credentials import Credentials
from .context import RequestContext, message_extensions
from .errors import ErrorCode, api_error, presented

CLOSE_UNAUTHENTICATED = 4401
CLOSE_FORBIDDEN = 4403
CLOSE_TOO_MANY = 4429

_LONGEST_ID = 128
_CLOSE_CODES = {
    ErrorCode.UNAUTHENTICATED: CLOSE_UNAUTHENTICATED,
    ErrorCode.FORBIDDEN: CLOSE_FORBIDDEN,
    ErrorCode.RATE_LIMITED: CLOSE_TOO_MANY,
}
_CLOSE_OTHERWISE = 1011  # an internal error, as WebSocket has it


class ForestSocketHandler(BaseGraphQLTransportWSHandler[RequestContext, None]):
    """One WebSocket. Browsers cannot set its headers, so that its first message may sign in."""

    async def handle_message(self, message: Message) -> None:
        """Handle one message, if it has the shape of one."""
        if not isinstance(message, dict) or not _is_well_formed(message):
            await self.handle_invalid_message("Malformed message")
            return
        await super().handle_message(message)

    async def handle_connection_init(self, message: ConnectionInitMessage) -> None:
        """Sign in by the message's payload, unless a header has done so.

        What it says beside a header is not ignored: it must be the same, and it may name whom
        an agent asks for.
        """
        headers: Headers = self.websocket.ws.headers  # type: ignore[attr-defined]
        payload: Any = message.get("payload")
        try:
            by_header = Credentials.of_headers(headers)
            credentials = by_header.with_payload(payload)
            if not self.context.signed_in or credentials != by_header:
                await self.context.sign_in(credentials)
        except EGCForestError as error:
            code = api_error(error).code
            await self.websocket.close(_CLOSE_CODES.get(code, _CLOSE_OTHERWISE), str(code))
            return
        if message.get("payload", {}) is None:
            message = {"type": "connection_init"}
        await super().handle_connection_init(message)

    async def handle_subscribe(self, message: SubscribeMessage) -> None:
        """Begin an operation, if the token has not begun too many."""
        if self.connection_acknowledged:
            protection = self.context.runtime.protection
            payload: Any = message["payload"]
            try:
                protection.count(self.context.principal, self.context.client)
                # The handler wants a text, and hands no extensions on: the task that it makes
                # for the operation finds them where it looks for what is to be remembered.
                message_extensions.set(payload.get("extensions"))
                payload["query"] = protection.documents.text(
                    payload.get("query"), payload.get("extensions")
                )
            except EGCForestError as error:
                failed = GraphQLError("", original_error=error)
                shown = presented(failed, self.context.request_id)
                await self.send_message(
                    {"type": "error", "id": message["id"], "payload": [shown.formatted]}
                )
                return
        await super().handle_subscribe(message)


def _is_well_formed(message: Mapping[str, Any]) -> bool:
    kind = message.get("type")
    if not isinstance(kind, str):
        return False
    if kind in ("subscribe", "complete"):
        id_ = message.get("id")
        if not isinstance(id_, str) or not 0 < len(id_) <= _LONGEST_ID:
            return False
    if kind != "subscribe":
        return True
    payload = message.get("payload")
    return isinstance(payload, dict) and all(
        payload.get(name) is None or isinstance(payload[name], wanted)
        for name, wanted in (
            ("query", str),
            ("operationName", str),
            ("variables", dict),
            ("extensions", dict),
        )
    )
