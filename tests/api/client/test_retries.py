"""When a call is repeated: the pure part."""

from __future__ import annotations

import pytest

from egcforest.api.client import (
    BadInputError,
    ClientTimeoutError,
    RateLimitedError,
    RetryPolicy,
    TransportError,
    UnavailableError,
    UnreachableError,
)
from egcforest.api.client.retries import Retries

POLICY = RetryPolicy(attempts=5, base_s=1, cap_s=3)


def retries(*, safe: bool = True, timeout_s: float | None = 100, draw: float = 1.0) -> Retries:
    return Retries(POLICY, safe=safe, timeout_s=timeout_s, draw=lambda: draw)


def test_the_bound_of_the_wait_doubles_up_to_the_cap() -> None:
    state = retries()
    error = UnavailableError("Away.")
    assert [state.wait_s(error, 0) for _ in range(5)] == [1, 2, 3, 3, None]


@pytest.mark.parametrize("draw", [0.0, 0.25, 1.0])
def test_jitter_is_full(draw: float) -> None:
    state = retries(draw=draw)
    assert [state.wait_s(UnavailableError("Away."), 0) for _ in range(2)] == [draw, 2 * draw]


def test_waits_as_long_as_the_service_says_and_a_little_more() -> None:
    assert retries(draw=0.5).wait_s(RateLimitedError("Slow.", retry_after_s=7), 0) == 7.5


def test_does_not_wait_beyond_the_time_of_the_call() -> None:
    assert retries(timeout_s=7).wait_s(RateLimitedError("Slow.", retry_after_s=7), 0) is None
    assert retries(timeout_s=7).wait_s(UnavailableError("Away."), 6.5) is None
    assert retries(timeout_s=None).wait_s(RateLimitedError("Slow.", retry_after_s=7), 1e6) == 8


@pytest.mark.parametrize(
    ("error", "safe", "unsafe"),
    [
        (TransportError("Broke."), True, False),
        (UnavailableError("Away."), True, False),
        (UnreachableError("Gone."), True, True),
        (RateLimitedError("Slow."), True, True),
        (ClientTimeoutError("Late."), False, False),
        (BadInputError("Wrong."), False, False),
    ],
)
def test_what_may_have_had_an_effect_is_repeated_only_where_that_is_safe(
    error: TransportError, safe: bool, unsafe: bool
) -> None:
    assert (retries(safe=True).wait_s(error, 0) is not None) is safe
    assert (retries(safe=False).wait_s(error, 0) is not None) is unsafe


def test_a_stream_counts_anew_after_each_event() -> None:
    state = retries()
    for _ in range(4):
        state.wait_s(UnavailableError("Away."), 0)
    state.again()
    assert state.wait_s(UnavailableError("Away."), 0) == 1


def test_a_policy_has_to_make_sense() -> None:
    with pytest.raises(ValueError, match="attempt"):
        RetryPolicy(attempts=0)
