"""Errors of the outer room. Each has the code by which a client of the service tells it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from ..text.errors import EGCForestError


class ErrorCode(StrEnum):
    """What kind of error it is, for programs: `extensions.code` of a GraphQL error."""

    UNAUTHENTICATED = "UNAUTHENTICATED"
    """There is no token, or none that is good."""
    FORBIDDEN = "FORBIDDEN"
    """The token is good, but not for this."""
    NOT_FOUND = "NOT_FOUND"
    """It is not there, or the asker may not know that it is."""
    BAD_INPUT = "BAD_INPUT"
    """The request is malformed, or a value in it cannot be used."""
    COST_LIMIT = "COST_LIMIT"
    """The operation would cost more than is allowed; it was not begun."""
    PERSISTED_QUERY_NOT_FOUND = "PERSISTED_QUERY_NOT_FOUND"
    """The document of that hash is not known here; send its text with it."""
    RATE_LIMITED = "RATE_LIMITED"
    """There were too many requests; `retryAfter` says for how many seconds to wait."""
    TIMEOUT = "TIMEOUT"
    """It took too long and was stopped."""
    TOO_LARGE = "TOO_LARGE"
    """The request, or a file, has too many bytes."""
    CONFLICT = "CONFLICT"
    """The state of things does not allow it now."""
    NOT_CONFIGURED = "NOT_CONFIGURED"
    """The operator of the service has not set up what this needs."""
    UNAVAILABLE = "UNAVAILABLE"
    """The database or the encoder does not answer; try again later."""
    INTERNAL = "INTERNAL"
    """Something unforeseen; the log has more under the request id."""


class ApiError(EGCForestError):
    """Base of this room's errors.

    Args:
        message: what is wrong; clients of the service see it.
        remedy: what they can do about it.
        code: what kind of error it is; by default that of the class.
        data: more for programs, such as a figure and its limit; JSON values by camelCase name.
    """

    code: ErrorCode = ErrorCode.BAD_INPUT

    def __init__(
        self, message: str, remedy: str = "", *, code: ErrorCode | None = None, **data: Any
    ) -> None:
        super().__init__(message, remedy)
        if code is not None:
            self.code = code
        self.data = data


class SettingsError(ApiError):
    """A setting is unknown or has a value that cannot be used."""

    code = ErrorCode.NOT_CONFIGURED


class NotFoundError(ApiError):
    """A workspace, actor, channel or artifact of that name is not there, or not visible."""

    code = ErrorCode.NOT_FOUND


class AmbiguousNameError(ApiError):
    """A name fits several; the message lists them."""


class MissingExtraError(ApiError):
    """A part of the package is not installed."""

    code = ErrorCode.NOT_CONFIGURED
