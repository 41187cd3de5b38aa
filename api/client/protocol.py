"""From an operation to a request of HTTP, and from its response to a result or an error."""

from __future__ import annotations

import json
import ssl
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx

from .config import ClientConfig
from .errors import (
    BY_CODE,
    BY_STATUS,
    CertificateError,
    ClientTimeoutError,
    ConfigurationError,
    ForestClientError,
    ServiceError,
    TransportError,
    UnexpectedAnswerError,
    UnreachableError,
)
from .events import Event
from .job_models import UploadTarget
from .operations import Operation

T = TypeVar("T")

REQUEST_ID_HEADER = "X-Request-Id"
EVENT_STREAM = "text/event-stream"
JSON = "application/json"
PATH = "/graphql"

_REDIRECTS = range(300, 400)
_OK = range(200, 300)


@dataclass(frozen=True, slots=True)
class Request:
    """A request of HTTP, whole but for the body of an upload.

    Attributes:
        request_id: what the log of the service knows it by.
    """

    method: str
    path: str
    headers: dict[str, str | bytes]
    request_id: str
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Response:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    content: bytes


def new_request_id() -> str:
    """An id for a call; its attempts are told apart by a number behind it."""
    return uuid.uuid4().hex


def graphql_request(
    config: ClientConfig, operation: Operation[Any], request_id: str, accept: str = JSON
) -> Request:
    """The request of one operation.

    Raises:
        ConfigurationError: the token is none, or a variable is nothing that JSON has.
    """
    body: dict[str, Any] = {"query": operation.document, "variables": operation.variables}
    if operation.name:
        body["operationName"] = operation.name
    try:
        # A lone surrogate is no UTF-8; as an escape it gets through and is judged there.
        content = json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise ConfigurationError(
            "A variable is nothing that JSON can hold.", "Give texts, numbers, lists, mappings."
        ) from error
    headers = config.headers() | {"Content-Type": JSON, "Accept": accept}
    headers[REQUEST_ID_HEADER] = request_id
    return Request("POST", PATH, headers, request_id, content)


def upload_request(
    config: ClientConfig, target: UploadTarget, size: int, request_id: str
) -> Request:
    """The request that carries a file; its body is sent by whoever reads the file.

    Raises:
        UnexpectedAnswerError: the file would go to another place than the service's.
    """
    path = httpx.URL(target.url)
    if path.is_absolute_url or path.host or target.method.upper() not in ("PUT", "POST"):
        raise UnexpectedAnswerError(
            "The service wants the file somewhere else, where the token must not go.",
            "Bring client and service to the same version.",
        )
    headers: dict[str, str | bytes] = {one.name: one.value for one in target.headers}
    headers |= config.headers() | {"Content-Length": str(size)}
    headers[REQUEST_ID_HEADER] = request_id
    return Request(target.method.upper(), target.url, headers, request_id)


def read(operation: Operation[T], response: Response, request_id: str) -> T:
    """The result of an operation.

    Raises:
        ForestClientError: the answer is an error, or none of EGCForest.
    """
    body = answer_of(response, request_id)
    return result_of(operation, body, request_id)


def result_of(operation: Operation[T], body: Mapping[str, Any], request_id: str) -> T:
    """The result of what GraphQL answered.

    Raises:
        ForestClientError: there are errors in it, or it has another form.
    """
    errors = body.get("errors")
    data = body.get("data")
    if errors:
        raise _of_errors(errors, data, None, None, request_id)
    if not isinstance(data, dict):
        raise _unexpected("It holds no data.", request_id)
    try:
        return operation.read(data)
    except ForestClientError as error:
        error.request_id = error.request_id or request_id
        raise


def answer_of(response: Response, request_id: str) -> dict[str, Any]:
    """The body of a response, if it is an answer of the service without an error of its own.

    Raises:
        ForestClientError: it is none.
    """
    try:
        body = json.loads(response.content)
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, dict) and isinstance(errors := body.get("errors"), list) and errors:
        wait_s = _retry_after_s(response.headers)
        raise _of_errors(errors, body.get("data"), response.status, wait_s, request_id)
    if response.status in _OK and isinstance(body, dict):
        return body
    raise _of_status(response, request_id)


def event_body(event: Event, request_id: str) -> dict[str, Any]:
    """What one event of a subscription holds."""
    try:
        body = json.loads(event.data)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise _unexpected("An event of it is no JSON object.", request_id)
    return body


def is_event_stream(headers: Mapping[str, str]) -> bool:
    """Whether a response is a stream of events."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == EVENT_STREAM


def transport_error(error: Exception, config: ClientConfig, request_id: str) -> ForestClientError:
    """What an error of httpx means."""
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        message = (
            f"There was no connection to {config.url} in time."
            if isinstance(error, httpx.ConnectTimeout)
            else "All connections of this client were busy for too long."
        )
        remedy = "Raise max_connections or timeout_s, or look at the network."
        return UnreachableError(message, remedy, request_id=request_id)
    if isinstance(error, httpx.TimeoutException):
        return timed_out(config.timeout_s, request_id)
    if isinstance(error, httpx.ConnectError):
        if _is_about_certificate(error):
            return CertificateError(
                f"The certificate of {config.url} cannot be trusted.",
                "Give an ssl.SSLContext that trusts it as `verify`.",
                request_id=request_id,
            )
        return UnreachableError(
            f"{config.url} cannot be reached.",
            "Look whether the service runs there (egcforest serve), and at EGCFOREST_URL.",
            request_id=request_id,
        )
    return TransportError(
        f"The connection to {config.url} broke ({type(error).__name__}).",
        "Try again; if it persists, look at the log of the service or of the proxy before it.",
        request_id=request_id,
    )


def timed_out(timeout_s: float, request_id: str | None) -> ClientTimeoutError:
    """There was no answer in time."""
    return ClientTimeoutError(
        f"There was no answer within {timeout_s:g} s.",
        "Ask for less at once, or raise timeout_s.",
        request_id=request_id,
    )


def _of_errors(
    errors: Any, data: Any, status: int | None, wait_s: float | None, request_id: str
) -> ForestClientError:
    found = [_of_error(error, status, wait_s, request_id) for error in errors]
    first = found[0]
    first.others = tuple(found[1:])
    first.data = data if isinstance(data, dict) else None
    return first


def _of_error(
    error: Any, status: int | None, wait_s: float | None, request_id: str
) -> ForestClientError:
    error = error if isinstance(error, dict) else {}
    extensions = error.get("extensions")
    details = dict(extensions) if isinstance(extensions, dict) else {}
    code = details.pop("code", "")
    code = code if isinstance(code, str) else ""
    remedy = details.pop("remedy", "")
    told_id = details.pop("requestId", None)
    told_wait = details.get("retryAfter")
    if isinstance(told_wait, int | float) and not isinstance(told_wait, bool):
        wait_s = max(0.0, float(told_wait))
    path = error.get("path")
    kind = BY_CODE.get(code) or (BY_STATUS.get(status or 0) if not code else None)
    return (kind or ServiceError)(
        str(error.get("message") or "The service answered with an error."),
        remedy if isinstance(remedy, str) else "",
        code=code,
        request_id=told_id if isinstance(told_id, str) else request_id,
        retry_after_s=wait_s,
        details=details,
        path=path if isinstance(path, list) else (),
    )


def _of_status(response: Response, request_id: str) -> ForestClientError:
    status = response.status
    if status in _REDIRECTS:
        return UnexpectedAnswerError(
            f"The address redirects to another one ({status}), where the token must not go.",
            "Give the address of the service itself.",
            request_id=request_id,
        )
    kind = BY_STATUS.get(status)
    if kind is None:
        return _unexpected(f"It has the status {status}.", request_id)
    return kind(
        f"The service, or a proxy before it, answered with status {status}.",
        "Try again later." if status >= 500 else "",
        request_id=response.headers.get(REQUEST_ID_HEADER.lower()) or request_id,
        retry_after_s=_retry_after_s(response.headers),
    )


def _unexpected(what: str, request_id: str) -> UnexpectedAnswerError:
    return UnexpectedAnswerError(
        f"What answered is no EGCForest, or one that this client does not know. {what}",
        "Look at the address: it is that of the service, without /graphql.",
        request_id=request_id,
    )


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds of the header Retry-After, which may be a date."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _is_about_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
