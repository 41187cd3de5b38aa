"""The application: routes, and what stands before them."""

from __future__ import annotations

from fastapi import FastAPI, Request
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from ... import __version__
from ...text.errors import EGCForestError
from ..access.credentials import ON_BEHALF_HEADER
from ..graphql.errors import api_error
from ..graphql.router import ForestRouter
from ..jobs import route as uploads
from . import health, request_id
from .authentication import AuthenticationMiddleware
from .lifespan import ServeConfig, lifespan
from .request_id import RequestIdMiddleware
from .responses import error_response

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
            Middleware(RequestIdMiddleware),
            Middleware(
                CORSMiddleware,
                allow_origins=settings.serve_cors_origins,
                allow_methods=("POST", "PUT"),
                allow_headers=(
                    "Authorization",
                    "Content-Type",
                    request_id.HEADER,
                    ON_BEHALF_HEADER,
                ),
                expose_headers=(request_id.HEADER, "Retry-After"),
                max_age=600,
            ),
            Middleware(
                AuthenticationMiddleware,
                open_page=GRAPHQL_PATH if settings.serve_development else None,
            ),
        ],
        exception_handlers={EGCForestError: _answer_error},
    )
    app.include_router(health.router)
    app.include_router(uploads.router)
    app.include_router(ForestRouter(settings, GRAPHQL_PATH))
    return app


async def _answer_error(request: Request, error: Exception) -> Response:
    return error_response(api_error(error), request.state.request_id)
