"""The schema over HTTP, server-sent events and WebSocket."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from cross_web import AsyncHTTPRequestAdapter, HTTPException
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from strawberry.fastapi import GraphQLRouter
from strawberry.http import GraphQLRequestData
from strawberry.http.base import BaseRequestProtocol
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import (
    BaseGraphQLTransportWSHandler,
)
from strawberry.subscriptions.protocols.graphql_transport_ws.types import ConnectionInitMessage

from ...text.errors import EGCForestError
from ..access.credentials import Credentials
from ..serve_settings import ServeSettings
from .context import RequestContext, Runtime
from .errors import ApiError, ErrorCode, api_error
from .schema import build_schema

PROTOCOLS = (GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL)
INIT_TIMEOUT_S = 10.0

# Codes by which a WebSocket is closed, as graphql-transport-ws has them.
CLOSE_UNAUTHENTICATED = 4401
CLOSE_FORBIDDEN = 4403


class ForestSocketHandler(BaseGraphQLTransportWSHandler[RequestContext, None]):
    """A WebSocket. Browsers cannot set its headers, so that its first message may sign in."""

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
            shown = api_error(error)
            forbidden = shown.code is ErrorCode.FORBIDDEN
            code = CLOSE_FORBIDDEN if forbidden else CLOSE_UNAUTHENTICATED
            await self.websocket.close(code=code, reason=str(shown.code))
            return
        await super().handle_connection_init(message)


class ForestRouter(GraphQLRouter[RequestContext, None]):
    """The one endpoint of the schema."""

    graphql_transport_ws_handler_class = ForestSocketHandler

    def __init__(self, settings: ServeSettings, path: str = "/graphql") -> None:
        super().__init__(
            build_schema(development=settings.serve_development),
            path=path,
            graphql_ide="graphiql" if settings.serve_development else None,
            allow_queries_via_get=False,
            subscription_protocols=PROTOCOLS,
            connection_init_wait_timeout=timedelta(seconds=INIT_TIMEOUT_S),
            max_subscriptions_per_connection=settings.serve_max_subscriptions,
            context_getter=request_context,
            allowed_origins=settings.serve_cors_origins,
            include_in_schema=False,
        )

    def is_request_allowed(self, request: BaseRequestProtocol) -> bool:
        """POST; in development also the GET that fetches GraphiQL."""
        if request.method == "GET":
            return self.graphql_ide is not None and self.should_render_graphql_ide(request)
        return request.method == "POST"

    async def run(self, request: Any, context: Any = None, root_value: Any = None) -> Any:
        """Answer one request or serve one WebSocket."""
        try:
            return await super().run(request, context=context, root_value=root_value)
        except HTTPException as error:
            code = ErrorCode.NOT_FOUND if error.status_code == 404 else ErrorCode.BAD_INPUT
            raise ApiError(f"{error.reason.rstrip('.')}.", code=code) from error

    async def parse_http_body(
        self, request: AsyncHTTPRequestAdapter
    ) -> GraphQLRequestData | list[GraphQLRequestData]:
        """The operation that a request's body holds."""
        return await super().parse_http_body(request)


async def request_context(connection: HTTPConnection) -> RequestContext:
    """The context of a request, or of a WebSocket's connection."""
    runtime: Runtime = connection.app.state.runtime
    return RequestContext(
        runtime,
        connection.state.request_id,
        connection.client.host if connection.client else "",
        connection.state.principal,
    )
