"""What a request holds, read strictly: whatever cannot be used is refused here, in one way."""

from __future__ import annotations

import asyncio
import json
from json import JSONDecodeError
from typing import Any

from starlette.requests import ClientDisconnect, Request
from strawberry.http import GraphQLRequestData, GraphQLRequestProtocol

from ..errors import ApiError, ErrorCode

MAX_NESTING = 64
"""Levels of lists and objects in a JSON body, at most."""
MAX_CONTAINERS = 50_000
"""Lists and objects in a JSON body, at most."""

_READ_TIMEOUT_S = 30.0
# A client that is still sending does not read the answer; what is too long is thrown away, to
# a point.
_DRAINED_BYTES = 32 * 1024 * 1024


async def read_body(request: Request, max_bytes: int) -> bytes:
    """The body, if it is not too long.

    Raises:
        ApiError: TOO_LARGE; TIMEOUT where it comes too slowly.
    """
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(_READ_TIMEOUT_S):
            async for chunk in request.stream():
                size += len(chunk)
                if size <= max_bytes:
                    chunks.append(chunk)
                elif size > _DRAINED_BYTES:
                    break
    except TimeoutError:
        raise ApiError("The request came too slowly.", code=ErrorCode.TIMEOUT) from None
    except ClientDisconnect:
        raise ApiError("The request broke off.") from None
    if size > max_bytes:
        raise ApiError(
            f"The request has more than {max_bytes:,} bytes.",
            "Send less at once; large exports go through an upload.",
            code=ErrorCode.TOO_LARGE,
            limit=max_bytes,
        )
    return b"".join(chunks)


def operation_of(body: bytes, protocol: GraphQLRequestProtocol) -> GraphQLRequestData:
    """The one operation that the body of a request asks for.

    Raises:
        ApiError: BAD_INPUT, whatever is wrong with it.
    """
    try:
        data = decode(body)
    except JSONDecodeError as error:
        raise ApiError(f"The body is no usable JSON: {error.msg}.") from None
    if isinstance(data, list):
        raise ApiError("Batches are not taken.", "Send one operation in one request.")
    if not isinstance(data, dict):
        raise ApiError("The body is no JSON object.", 'Send {"query": "..."}.')
    return GraphQLRequestData(
        query=_typed(data, "query", str),
        variables=_typed(data, "variables", dict),
        operation_name=_typed(data, "operationName", str),
        extensions=_typed(data, "extensions", dict),
        protocol=protocol,
    )


def _typed(data: dict[str, Any], name: str, kind: type) -> Any:
    value = data.get(name)
    if value is not None and not isinstance(value, kind):
        wanted = "a string" if kind is str else "an object"
        raise ApiError(f"`{name}` has to be {wanted}.")
    return value


def decode(text: str | bytes) -> Any:
    """The value that JSON writes.

    Raises:
        JSONDecodeError: it is none, is nested too deeply, or holds what no text and no number
            can be: lone surrogates, NUL, NaN, thousands of digits.
    """
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    # An upper bound, since texts hold brackets too; it is counted in no time.
    if raw.count(b"[") + raw.count(b"{") > MAX_CONTAINERS:
        raise _unusable("it has too many lists and objects")
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except JSONDecodeError as error:
        # The error would keep the text.
        raise _unusable(error.msg) from None
    except RecursionError:
        raise _unusable("it is nested too deeply") from None
    except UnicodeDecodeError:
        raise _unusable("it is not UTF-8") from None
    except ValueError:
        raise _unusable("it holds a number that is none") from None
    _check(value)
    return value


def _check(value: Any) -> None:
    level = [value]
    for _ in range(MAX_NESTING + 1):
        deeper: list[Any] = []
        for one in level:
            if isinstance(one, str):
                _check_text(one)
            elif isinstance(one, dict):
                deeper += one
                deeper += one.values()
            elif isinstance(one, list):
                deeper += one
        if not deeper:
            return
        level = deeper
    raise _unusable("it is nested too deeply")


def _check_text(text: str) -> None:
    if "\0" in text:
        raise _unusable("a text holds NUL")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise _unusable("a text holds half of a surrogate pair") from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def _unusable(reason: str) -> JSONDecodeError:
    return JSONDecodeError(reason, "", 0)
