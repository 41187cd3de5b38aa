"""What is told of each response: for the log and the metrics, never a path, a query or a body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ResponseReport:
    """One response of HTTP, or the answer to a WebSocket's handshake.

    Attributes:
        request_id: of the request.
        route: one of few; never what the client made up.
        method: of HTTP; `WEBSOCKET` for a handshake, `other` for what HTTP does not know.
        status: of HTTP; 101 where a WebSocket was opened.
        duration_ms: milliseconds until the response began.
    """

    request_id: str
    route: str
    method: str
    status: int
    duration_ms: float


ResponseObserver = Callable[[ResponseReport], None]
"""Is called on the event loop when a response begins; must not raise and not block."""
