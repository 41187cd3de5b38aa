"""Limits on bad tokens per address, and on requests per token."""

from __future__ import annotations

import ipaddress
import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

FAILURES_PER_MINUTE = 30


class FailureLimit:
    """Counts bad tokens by the network that they came from, in this process."""

    def __init__(self, per_minute: int = FAILURES_PER_MINUTE) -> None:
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._item = RateLimitItemPerMinute(per_minute)

    def count(self, address: str) -> None:
        """Note a bad token from `address`."""
        self._limiter.hit(self._item, network_of(address))

    def retry_after_s(self, address: str) -> int | None:
        """Seconds that `address` has to wait, None if it need not."""
        network = network_of(address)
        if self._limiter.test(self._item, network):
            return None
        reset = self._limiter.get_window_stats(self._item, network).reset_time
        return max(1, math.ceil(reset - time.time()))


def network_of(address: str) -> str:
    """The address, or for IPv6 its /64, since one household has all of that."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


class RequestLimit:
    """Counts requests by who sent them, in this process."""

    def __init__(self, per_minute: int) -> None:
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._item = RateLimitItemPerMinute(per_minute)

    def hit(self, who: str) -> int | None:
        """Note a request; seconds that `who` has to wait if it is one too many, else None."""
        if self._limiter.hit(self._item, who):
            return None
        reset = self._limiter.get_window_stats(self._item, who).reset_time
        return max(1, math.ceil(reset - time.time()))
