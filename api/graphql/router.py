"""The schema over HTTP, server-sent events and WebSocket."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from cross_web import AsyncHTTPRequestAdapter, HTTPException, StarletteRequestAdapter
from starlette.requests import HTTPConnection, Request
from strawberry.fastapi import GraphQLRouter
from strawberry.http import GraphQLRequestData
from strawberry.http.base import BaseRequestProtocol
from strawberry.http.parse_content_type import parse_content_type
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL

from ..serve_settings import ServeSettings
from .context import RequestContext, Runtime
from .errors import ApiError, ErrorCode
from .requests import decode, operation_of, read_body
from .schema import build_schema
from .socket import ForestSocketHandler

PROTOCOLS = (GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL)
INIT_TIMEOUT_S = 10.0
NOT_FOUND = 404


class UnsupportedMediaTypeError(ApiError):
    """The body of a request is no JSON."""

    def __init__(self) -> None:
        super().__init__("The body has to be JSON.", "Send Content-Type: application/json.")


class _RequestAdapter(StarletteRequestAdapter):
    """Strawberry's view of a request, with the request itself."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.received = request


class ForestRouter(GraphQLRouter[RequestContext, None]):
    """The one endpoint of the schema."""

    graphql_transport_ws_handler_class = ForestSocketHandler
    request_adapter_class = _RequestAdapter

    def __init__(self, settings: ServeSettings, path: str = "/graphql") -> None:
        self._max_body_bytes = settings.serve_max_body_bytes
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
            code = ErrorCode.NOT_FOUND if error.status_code == NOT_FOUND else ErrorCode.BAD_INPUT
            raise ApiError(f"{error.reason.rstrip('.')}.", code=code) from error

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData:
        """The operation that a request's body asks for.

        Raises:
            ApiError: it is too long or malformed.
        """
        media_type, _ = parse_content_type(request.content_type or "")
        if media_type != "application/json":
            raise UnsupportedMediaTypeError
        transport = self._get_stream_transport_from_headers(request.headers)
        assert isinstance(request, _RequestAdapter)
        body = await read_body(request.received, self._max_body_bytes)
        return operation_of(body, transport.protocol if transport else "http")

    def decode_json(self, data: str | bytes) -> object:
        """What a message on a WebSocket holds."""
        return decode(data)


async def request_context(connection: HTTPConnection) -> RequestContext:
    """The context of a request, or of a WebSocket's connection."""
    runtime: Runtime = connection.app.state.runtime
    return RequestContext(
        runtime,
        connection.state.request_id,
        connection.client.host if connection.client else "",
        connection.state.principal,
    )
