"""What is told of each operation when it ends: for the log and the metrics, never its text."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from graphql import GraphQLError


@dataclass(frozen=True, slots=True)
class OperationReport:
    """One operation that has ended.

    Attributes:
        request_id: of the request.
        token_id: whose token it was.
        token_name: what the token is called.
        workspace: what it opens.
        on_behalf: whether the token's own actor asked for another.
        kind: `query`, `mutation` or `subscription`; `none` if it was not admitted.
        name: what the client calls the operation; empty if it has no name.
        cost: as it was computed; 0 if it was not admitted.
        duration_ms: milliseconds from the beginning to the end.
        codes: of the errors, each once, in order; none means success.
        results: how many results it had; more than one in subscriptions.
        stages_ms: milliseconds of retrieval by stage, where a question was asked.
        began_ns: when it began, in nanoseconds since 1970.
        trace_headers: of the request, by which a trace goes on.
    """

    request_id: str
    token_id: str
    token_name: str
    workspace: str
    on_behalf: bool
    kind: str
    name: str
    cost: int
    duration_ms: float
    codes: tuple[str, ...]
    results: int
    stages_ms: Mapping[str, float]
    began_ns: int
    trace_headers: Mapping[str, str]


Observer = Callable[[OperationReport], None]
"""Is called on the event loop when an operation has ended; must not raise and not block."""


class Stopwatch:
    """Milliseconds since it was made.

    Attributes:
        began_ns: when that was, in nanoseconds since 1970.
    """

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self.began_ns = time.time_ns()

    @property
    def ms(self) -> float:
        """Milliseconds until now."""
        return (time.perf_counter() - self._began) * 1000


def codes_of(errors: Iterable[GraphQLError]) -> tuple[str, ...]:
    """The codes of errors, each once, in order."""
    return tuple(
        dict.fromkeys(str((error.extensions or {}).get("code", "INTERNAL")) for error in errors)
    )
