"""Errors outside of GraphQL, in the form that GraphQL has for them."""

from __future__ import annotations

from starlette.responses import JSONResponse

from ..errors import ApiError, ErrorCode
from ..graphql.errors import api_error, extensions
from .logs import log_unforeseen

STATUS: dict[ErrorCode, int] = {
    ErrorCode.UNAUTHENTICATED: 401,
    ErrorCode.FORBIDDEN: 403,
    ErrorCode.NOT_FOUND: 404,
    ErrorCode.BAD_INPUT: 400,
    ErrorCode.COST_LIMIT: 400,
    ErrorCode.PERSISTED_QUERY_NOT_FOUND: 400,
    ErrorCode.RATE_LIMITED: 429,
    ErrorCode.TIMEOUT: 504,
    ErrorCode.TOO_LARGE: 413,
    ErrorCode.CONFLICT: 409,
    ErrorCode.NOT_CONFIGURED: 501,
    ErrorCode.UNAVAILABLE: 503,
    ErrorCode.INTERNAL: 500,
}


def explained(error: BaseException, request_id: str) -> ApiError:
    """What is told of `error`; where nobody foresaw it, the log has it under the request's id."""
    shown = api_error(error)
    if shown.code is ErrorCode.INTERNAL:
        log_unforeseen(error, request_id)
    return shown


def error_response(error: ApiError, request_id: str, *, status: int | None = None) -> JSONResponse:
    """`error` as a response; `status` where HTTP has a more exact one than the code's."""
    headers = {}
    if error.code is ErrorCode.UNAUTHENTICATED:
        headers["WWW-Authenticate"] = "Bearer"
    if "retryAfter" in error.data:
        headers["Retry-After"] = str(error.data["retryAfter"])
    body = {"errors": [{"message": error.message, "extensions": extensions(error, request_id)}]}
    return JSONResponse(body, status or STATUS[error.code], headers)
