"""The application: routes, and what stands before them."""

from __future__ import annotations

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from ... import __version__
from ...text.errors import EGCForestError
from ..access.credentials import ON_BEHALF_HEADER
from ..errors import ApiError, ErrorCode
from ..graphql.router import ForestRouter, UnsupportedMediaTypeError
from ..jobs import route as uploads
from . import health
from .authentication import AuthenticationMiddleware
from .counting import CountingMiddleware
from .envelope import HEADER, EnvelopeMiddleware
from .last_resort import LastResortMiddleware
from .lifespan import ServeConfig, lifespan
from .responses import error_response, explained

GRAPHQL_PATH = "/graphql"


def create_app(config: ServeConfig) -> FastAPI:
    """The service as an ASGI application; it opens the graph when it is started."""
    settings = config.settings
    app = FastAPI(
        title="EGCForest",
        version=__version__,
        lifespan=lifespan(config),
        # All is in the GraphQL schema.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        middleware=[
            Middleware(CountingMiddleware),
            Middleware(EnvelopeMiddleware, has_page=settings.serve_development),
            Middleware(
                CORSMiddleware,
                allow_origins=settings.serve_cors_origins,
                allow_methods=("POST", "PUT"),
                allow_headers=(
                    "Authorization",
                    "Content-Type",
                    HEADER,
                    ON_BEHALF_HEADER,
                ),
                expose_headers=(HEADER, "Retry-After"),
                max_age=600,
            ),
            Middleware(LastResortMiddleware),
            Middleware(
                AuthenticationMiddleware,
                open_page=GRAPHQL_PATH if settings.serve_development else None,
            ),
        ],
        exception_handlers={
            EGCForestError: _answer_error,
            HTTPException: _answer_http,
        },
    )
    app.include_router(health.router)
    app.include_router(uploads.router)
    app.include_router(ForestRouter(settings, GRAPHQL_PATH))
    return app


async def _answer_error(request: Request, error: Exception) -> Response:
    status = 415 if isinstance(error, UnsupportedMediaTypeError) else None
    shown = explained(error, _request_id(request))
    return error_response(shown, _request_id(request), status=status)


async def _answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = ErrorCode.NOT_FOUND if error.status_code == 404 else ErrorCode.BAD_INPUT
    shown = ApiError(f"{error.detail}.", code=code)
    response = error_response(shown, _request_id(request), status=error.status_code)
    response.headers.update(error.headers or {})
    return response


def _request_id(request: Request) -> str:
    return str(getattr(request.state, "request_id", ""))
