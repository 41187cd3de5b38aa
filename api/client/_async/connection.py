"""Sends operations: over pooled connections, again where that is safe, and not for too long."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Any, TypeVar

import httpx

from .. import protocol
from ..config import ClientConfig, timeouts
from ..errors import ClosedError, ConflictError, ForestClientError, TransportError
from ..events import EventDecoder
from ..job_models import UploadTarget
from ..operations import Operation
from ..protocol import Request, Response
from ..retries import Retries
from ..waiting import sleep_async

T = TypeVar("T")

QUIET_S = 60.0
"""How long nothing may come in a stream; the service sends a sign of life every 15 s."""


class AsyncConnection:
    """The connections to one service.

    Args:
        config: where it is, and how it is called.
        shared: other connections to use; they are not closed with this one.
    """

    def __init__(self, config: ClientConfig, shared: AsyncConnection | None = None) -> None:
        self.config = config
        self._owner = shared is None
        self._http: httpx.AsyncClient = (
            httpx.AsyncClient(**config.http_options()) if shared is None else shared._http
        )

    def asking_for(self, actor: str | None) -> AsyncConnection:
        """The same connections, on behalf of `actor`."""
        return AsyncConnection(self.config.asking_for(actor), self)

    async def close(self) -> None:
        """Close them, unless they are another's. Safe to repeat."""
        if self._owner:
            await self._http.aclose()

    async def run(self, operation: Operation[T]) -> T:
        """The result of a query or a mutation.

        Raises:
            ForestClientError: there is none.
        """

        async def attempt(request_id: str, left_s: float) -> T:
            request = protocol.graphql_request(self.config, operation, request_id)
            response = await self._exchange(request, left_s)
            return protocol.read(operation, response, request_id)

        result: T = await self._attempts(attempt, operation.safe, operation.extra_s)
        return result

    async def send_file(
        self, target: UploadTarget, size: int, chunks: Callable[[], AsyncGenerator[bytes, None]]
    ) -> None:
        """Send a file; from its beginning again where the connection breaks.

        Args:
            target: where to.
            size: bytes.
            chunks: begins to read the file.

        Raises:
            ForestClientError: it was not taken.
        """

        async def attempt(request_id: str, left_s: float) -> None:
            request = protocol.upload_request(self.config, target, size, request_id)
            async with aclosing(chunks()) as content:
                # However long it takes: a step of it may take as long as a call.
                response = await self._exchange(request, None, content)
            protocol.answer_of(response, request_id)

        await self._attempts(attempt, True, None)

    async def events(
        self, operation: Operation[T], timeout_s: float | None = None
    ) -> AsyncGenerator[T, None]:
        """The results of a subscription, in one connection; ends when the service ends it.

        Args:
            operation: the subscription.
            timeout_s: seconds that it may go on; None for any.

        Raises:
            ForestClientError: it was refused, or broke.
        """
        self._check_open()
        request_id = protocol.new_request_id()
        request = protocol.graphql_request(
            self.config, operation, request_id, protocol.EVENT_STREAM
        )
        ends_at = None if timeout_s is None else time.monotonic() + timeout_s
        patience_s = QUIET_S if timeout_s is None else min(QUIET_S, timeout_s)
        decoder = EventDecoder()
        async with self._streaming(request, patience_s) as response:
            if not protocol.is_event_stream(response.headers):
                protocol.answer_of(await self._whole(response, ends_at, request), request_id)
                return
            async for chunk in response.aiter_bytes():
                for event in decoder.feed(chunk):
                    if event.name == "complete":
                        return
                    if event.name == "next":
                        body = protocol.event_body(event, request_id)
                        yield protocol.result_of(operation, body, request_id)
                if ends_at is not None and time.monotonic() > ends_at:
                    raise protocol.timed_out(timeout_s or 0.0, request_id)
        raise TransportError(
            "The stream of events broke off.", "Follow it again.", request_id=request_id
        )

    async def _attempts(
        self, attempt: Callable[[str, float], Any], safe: bool, extra_s: float | None
    ) -> Any:
        """What `attempt` returns, which gets an id of the request and the seconds left."""
        self._check_open()
        call_id = protocol.new_request_id()
        timeout_s = None if extra_s is None else self.config.timeout_s + extra_s
        retries = Retries(self.config.retry, safe=safe, timeout_s=timeout_s)
        began = time.monotonic()
        while True:
            number = retries.attempt
            request_id = call_id if number == 1 else f"{call_id}-{number}"
            left_s = retries.left_s(time.monotonic() - began)
            try:
                return await attempt(
                    request_id, self.config.timeout_s if left_s is None else left_s
                )
            except ConflictError as error:
                # The service has not noticed yet that the last attempt to send this file broke.
                if extra_s is not None or number == 1:
                    raise
                wait_s = retries.wait_s(TransportError(error.message), time.monotonic() - began)
                if wait_s is None:
                    raise
            except ForestClientError as error:
                wait_s = retries.wait_s(error, time.monotonic() - began)
                if wait_s is None:
                    raise
            await sleep_async(wait_s)
            self._check_open()

    async def _exchange(
        self, request: Request, left_s: float | None, content: AsyncIterator[bytes] | None = None
    ) -> Response:
        ends_at = None if left_s is None else time.monotonic() + left_s
        step_s = self.config.timeout_s if left_s is None else left_s
        async with self._streaming(request, step_s, content) as response:
            return await self._whole(response, ends_at, request)

    async def _whole(
        self, response: httpx.Response, ends_at: float | None, request: Request
    ) -> Response:
        """The whole of a response. One that comes in drops must not go on for ever."""
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if ends_at is not None and time.monotonic() > ends_at:
                raise protocol.timed_out(self.config.timeout_s, request.request_id)
        return Response(response.status_code, response.headers, bytes(body))

    @asynccontextmanager
    async def _streaming(
        self, request: Request, step_s: float, content: AsyncIterator[bytes] | None = None
    ) -> AsyncIterator[httpx.Response]:
        """The response to `request` as it comes; errors of httpx become those of the client."""
        try:
            async with self._http.stream(
                request.method,
                request.path,
                headers=request.headers,  # type: ignore[arg-type]
                content=request.content if content is None else content,
                timeout=timeouts(step_s),
            ) as response:
                yield response
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise protocol.transport_error(error, self.config, request.request_id) from error
        except (httpx.StreamError, RuntimeError):
            # Somebody closed the client while this was under way.
            self._check_open()
            raise

    def _check_open(self) -> None:
        if self._http.is_closed:
            raise ClosedError
