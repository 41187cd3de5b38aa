"""When a call is sent again, and after how long. No clock and no network in here."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from .errors import ForestClientError, Repeat


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential backoff with full jitter.

    Before attempt n + 1 it waits a random time of up to `base_s` x 2^(n-1), at most `cap_s`; where
    the service names a time to wait, that time, and the random one on top, so that not all
    come back at once.

    Attributes:
        attempts: how often a call is sent at most; 1 is never again.
        stream_attempts: the same for following a job, counted anew after each event: a service
            that is started again should find its followers.
        base_s: seconds.
        cap_s: seconds.
    """

    attempts: int = 4
    stream_attempts: int = 10
    base_s: float = 0.25
    cap_s: float = 8.0

    def __post_init__(self) -> None:
        if min(self.attempts, self.stream_attempts) < 1 or min(self.base_s, self.cap_s) < 0:
            raise ValueError("There is at least one attempt, and no waiting time below 0.")


class Retries:
    """The attempts of one call.

    Args:
        policy: how to retry.
        safe: whether the call changes nothing when it is repeated.
        timeout_s: seconds that the whole call may take, waiting included; None for any.
        attempts: how often it may be sent; as the policy says by default.
        draw: a random number from 0 to 1.

    Attributes:
        attempt: number of the attempt that is made, from 1.
        late: whether another attempt would have come too late.
    """

    def __init__(
        self,
        policy: RetryPolicy,
        *,
        safe: bool,
        timeout_s: float | None,
        attempts: int | None = None,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self._policy = policy
        self._safe = safe
        self._timeout_s = timeout_s
        self._attempts = policy.attempts if attempts is None else attempts
        self._draw = draw
        self.attempt = 1
        self.late = False

    def left_s(self, elapsed_s: float) -> float | None:
        """Seconds that are left of the call; None for any."""
        return None if self._timeout_s is None else max(0.0, self._timeout_s - elapsed_s)

    def wait_s(self, error: ForestClientError, elapsed_s: float) -> float | None:
        """Seconds to wait before the next attempt; None if there is none to be made.

        Args:
            error: what the last attempt ended with.
            elapsed_s: seconds since the call began.
        """
        if error.repeat is Repeat.NEVER or self.attempt >= self._attempts:
            return None
        if error.repeat is Repeat.IF_SAFE and not self._safe:
            return None
        longest = min(self._policy.cap_s, self._policy.base_s * 2.0 ** (self.attempt - 1))
        wait_s = (error.retry_after_s or 0.0) + longest * self._draw()
        left_s = self.left_s(elapsed_s)
        if left_s is not None and wait_s >= left_s:
            self.late = True
            return None
        self.attempt += 1
        return wait_s

    def again(self) -> None:
        """Something has come: count from the beginning."""
        self.attempt = 1
