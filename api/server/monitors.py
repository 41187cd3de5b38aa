"""What watches the service: the event loop's lag always, logs, and what the settings ask for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field

from ..graphql.context import Runtime
from .lag import LagMonitor
from .logs import log_operation
from .metrics import Metrics, RequestObserver
from .tracing import tracing

logger = logging.getLogger("egcforest.server")


@dataclass(frozen=True, slots=True)
class Monitors:
    """What watches.

    Attributes:
        lag: how late the event loop is.
        metrics: for Prometheus; None where the settings want none.
        metrics_port: where they are served; 0 where they are not.
        requests: told of each response of HTTP.
    """

    lag: LagMonitor
    metrics: Metrics | None = None
    metrics_port: int = 0
    requests: list[RequestObserver] = field(default_factory=list)


@asynccontextmanager
async def observing(runtime: Runtime) -> AsyncIterator[Monitors]:
    """Watch `runtime` for as long as the context lasts.

    Raises:
        MissingExtraError: metrics or traces are wanted and the extra `telemetry` is missing.
    """
    settings = runtime.settings
    async with AsyncExitStack() as stack:
        lag = LagMonitor()
        runtime.observers.append(log_operation)
        monitors = Monitors(lag)
        if settings.serve_metrics_port is not None:
            metrics = Metrics(runtime.service.store)
            port = stack.enter_context(metrics.served(settings))
            lag.add_observer(metrics.observe_lag)
            runtime.observers.append(metrics.observe_operation)
            monitors = Monitors(lag, metrics, port, [metrics.observe_request])
            logger.info("Serving metrics.", extra={"port": port})
        if settings.serve_otlp_endpoint:
            runtime.observers.append(stack.enter_context(tracing(settings.serve_otlp_endpoint)))
        measuring = asyncio.create_task(lag.run())
        try:
            yield monitors
        finally:
            measuring.cancel()
            with suppress(asyncio.CancelledError):
                await measuring
            runtime.observers.clear()
