"""What can go wrong for a client. Every error says what to do, and none quotes a token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from .job_models import Job


class Repeat(Enum):
    """Whether a call that failed may be sent again."""

    NEVER = "never"
    """It would fail again."""
    IF_SAFE = "if safe"
    """It may have had its effect: only what changes nothing when it is repeated."""
    ALWAYS = "always"
    """It certainly had no effect."""


class ForestClientError(Exception):
    """Base of all errors of the client.

    Attributes:
        message: what is wrong.
        remedy: what can be done about it; may be empty.
        code: `extensions.code` of the service; empty if the error is none of the service's.
        request_id: names the request in the log of the service; None if there was none.
        retry_after_s: seconds to wait before another try, where the service says so.
        details: more for programs, such as a figure and its limit, by camelCase name.
        path: the field of the answer in which it happened; empty if it was the whole.
        data: what came of the other fields of an `execute`; None if nothing did.
        others: further errors of the same answer.
    """

    repeat: ClassVar[Repeat] = Repeat.NEVER

    def __init__(
        self,
        message: str,
        remedy: str = "",
        *,
        code: str = "",
        request_id: str | None = None,
        retry_after_s: float | None = None,
        details: Mapping[str, Any] | None = None,
        path: Sequence[str | int] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.code = code
        self.request_id = request_id
        self.retry_after_s = retry_after_s
        self.details = dict(details or {})
        self.path = tuple(path)
        self.data: dict[str, Any] | None = None
        self.others: tuple[ForestClientError, ...] = ()

    def __str__(self) -> str:
        """The message, the remedy and the request id."""
        told = f"{self.message} {self.remedy}".strip()
        return f"{told} (request {self.request_id})" if self.request_id else told


class ConfigurationError(ForestClientError):
    """An argument of the client, or a variable of the environment, is not usable."""


class ClosedError(ForestClientError):
    """The client was closed."""

    def __init__(self) -> None:
        super().__init__("This client is closed.", "Make a new one, or close it later.")


class TransportError(ForestClientError):
    """The connection broke before an answer had come; the call may have had its effect."""

    repeat = Repeat.IF_SAFE


class UnreachableError(TransportError):
    """There was no connection, so that nothing was sent."""

    repeat = Repeat.ALWAYS


class CertificateError(TransportError):
    """The certificate of the other side cannot be trusted."""

    repeat = Repeat.NEVER


class ClientTimeoutError(TransportError):
    """No answer came within the time of the client."""

    repeat = Repeat.NEVER


class UnexpectedAnswerError(ForestClientError):
    """What answered is no EGCForest, or one that this client is too old or too new for."""


class ServiceError(ForestClientError):
    """Base of what the service answers. Of this very class if the code is a new one."""


class UnauthenticatedError(ServiceError):
    """There is no token, or none that is good."""


class ForbiddenError(ServiceError):
    """The token is good, but not for this."""


class NotFoundError(ServiceError):
    """It is not there, or the asker may not know that it is."""


class BadInputError(ServiceError):
    """A value cannot be used; `details["argument"]` often names it."""


class CostLimitError(ServiceError):
    """The operation would cost more than is allowed."""

    @property
    def figure(self) -> int | None:
        """What it would cost."""
        return self.details.get("figure")

    @property
    def limit(self) -> int | None:
        """What is allowed."""
        return self.details.get("limit")


class RateLimitedError(ServiceError):
    """There were too many requests; nothing was done. See `retry_after_s`."""

    repeat = Repeat.ALWAYS


class ServerTimeoutError(ServiceError):
    """The service took too long and stopped it."""


class TooLargeError(ServiceError):
    """The request, or a file, has too many bytes or entries."""


class ConflictError(ServiceError):
    """The state of things does not allow it now."""


class NotConfiguredError(ServiceError):
    """The operator of the service has not set up what this needs."""


class UnavailableError(ServiceError):
    """The service, or its database, does not answer now."""

    repeat = Repeat.IF_SAFE


class InternalError(ServiceError):
    """Something unforeseen in the service; its log has more under the request id."""


class JobFailedError(ForestClientError):
    """A job that was waited for has failed, or was cancelled.

    Attributes:
        job: as it ended.
    """

    def __init__(self, job: Job) -> None:
        if job.error is not None:
            message, remedy = job.error.message, job.error.remedy
        else:
            message, remedy = f"The job was {job.state.lower()}.", "Retry it, if it is wanted."
        super().__init__(message, remedy)
        self.job = job


BY_CODE: dict[str, type[ServiceError]] = {
    "UNAUTHENTICATED": UnauthenticatedError,
    "FORBIDDEN": ForbiddenError,
    "NOT_FOUND": NotFoundError,
    "BAD_INPUT": BadInputError,
    "COST_LIMIT": CostLimitError,
    "RATE_LIMITED": RateLimitedError,
    "TIMEOUT": ServerTimeoutError,
    "TOO_LARGE": TooLargeError,
    "CONFLICT": ConflictError,
    "NOT_CONFIGURED": NotConfiguredError,
    "UNAVAILABLE": UnavailableError,
    "INTERNAL": InternalError,
}
"""The class for each code of the service."""

BY_STATUS: dict[int, type[ServiceError]] = {
    401: UnauthenticatedError,
    403: ForbiddenError,
    413: TooLargeError,
    429: RateLimitedError,
    500: InternalError,
    502: UnavailableError,
    503: UnavailableError,
    504: ServerTimeoutError,
}
"""The class for answers without a code, such as those of a proxy on the way."""
