"""How late the event loop is: measured all the time, because one blocking call delays everybody."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable

INTERVAL_S = 0.02
_WINDOW_S = 60.0
_MAX_MISSED = 500


class LagMonitor:
    """Sleeps for 20 ms again and again, and sees by how much it wakes too late.

    What would have been measured while the loop was blocked is filled in, so that a block of
    one second weighs as much as the fifty measurements that it prevented.

    Args:
        observe: told of each lag, in seconds.
    """

    def __init__(self, observe: Callable[[float], None] | None = None) -> None:
        self._observers = [observe] if observe else []
        self._lags: deque[float] = deque(maxlen=int(_WINDOW_S / INTERVAL_S))

    def add_observer(self, observe: Callable[[float], None]) -> None:
        """Tell `observe` of each lag, in seconds, from now on."""
        self._observers.append(observe)

    async def run(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await asyncio.sleep(INTERVAL_S)
            lag = max(0.0, loop.time() - began - INTERVAL_S)
            for number in range(min(1 + int(lag / INTERVAL_S), _MAX_MISSED)):
                self._note(lag - number * INTERVAL_S)

    def _note(self, lag: float) -> None:
        self._lags.append(lag)
        for observe in self._observers:
            observe(lag)

    def quantile_ms(self, quantile: float) -> float:
        """Milliseconds below which that share of the last minute's lags lie; 0 before any."""
        lags = sorted(self._lags)
        if not lags:
            return 0.0
        return lags[max(0, math.ceil(quantile * len(lags)) - 1)] * 1000
