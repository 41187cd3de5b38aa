"""What a client is told when something goes wrong: a code, a sentence, a remedy, no more."""

from __future__ import annotations

from typing import Any

from graphql import GraphQLError
from neo4j.exceptions import DriverError, Neo4jError

from ...graph.errors import (
    GraphError,
    InvalidKeyError,
    LeaseLostError,
    QueryTimeoutError,
    UnknownActorError,
    UnknownWorkspaceError,
)
from ..errors import ApiError, ErrorCode

__all__ = ["ApiError", "ErrorCode", "api_error", "presented"]

# An inner room's errors by what they are told as. Their own words name addresses, settings and
# keys; those about names list what else there is, of all workspaces and audiences.
_NOT_FOUND = (UnknownActorError, UnknownWorkspaceError)


def api_error(error: BaseException) -> ApiError:
    """`error` as one that may be shown to a client."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, _NOT_FOUND):
        return ApiError(
            "There is nobody and nothing of that name that you may see.",
            "Give an id or a key.",
            code=ErrorCode.NOT_FOUND,
        )
    if isinstance(error, InvalidKeyError):
        return ApiError(error.message, error.remedy, code=ErrorCode.BAD_INPUT)
    if isinstance(error, TimeoutError | QueryTimeoutError):
        return ApiError(
            "This took too long and was stopped.", "Ask for less at once.", code=ErrorCode.TIMEOUT
        )
    if isinstance(error, LeaseLostError):
        return ApiError(
            "Somebody else is building this workspace.", "Try again.", code=ErrorCode.CONFLICT
        )
    if isinstance(error, GraphError) or _may_pass(error):
        return ApiError(
            "The database cannot answer now.", "Try again later.", code=ErrorCode.UNAVAILABLE
        )
    return ApiError(
        "Something unforeseen happened.",
        "Tell the operator the request id; the log has more under it.",
        code=ErrorCode.INTERNAL,
    )


def _may_pass(error: BaseException) -> bool:
    """Whether it is the database's, and one that the driver has retried for as long as it may."""
    return isinstance(error, Neo4jError | DriverError) and error.is_retryable()


def presented(error: GraphQLError, request_id: str) -> GraphQLError:
    """`error` with `code`, `remedy` and `requestId` in its extensions.

    An error without a path was found by GraphQL itself in the document or its variables. One
    with a path comes from a resolver; unless it was raised on purpose, nothing of it is shown.
    """
    cause = cause_of(error)
    # What it finds in a variable it wraps in an error of its own.
    of_document = isinstance(cause, GraphQLError) and error.path is None
    shown = ApiError(error.message) if of_document else api_error(cause)
    return GraphQLError(
        shown.message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions=extensions(shown, request_id),
    )


def extensions(error: ApiError, request_id: str) -> dict[str, Any]:
    """What stands beside the sentence, for programs."""
    return {
        "code": str(error.code),
        "remedy": error.remedy,
        "requestId": request_id,
        **error.data,
    }


def cause_of(error: GraphQLError) -> BaseException:
    """What a resolver raised; `error` itself if GraphQL raised it."""
    cause: BaseException = error
    while isinstance(cause, GraphQLError) and cause.original_error is not None:
        cause = cause.original_error
    return cause
