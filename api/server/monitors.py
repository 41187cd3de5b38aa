"""What watches the service: the event loop's lag always, logs, and what the settings ask for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field

from neo4j.exceptions import DriverError, Neo4jError

from ...graph.errors import GraphError
from ...graph.job_store import JobStore
from ..graphql.context import Runtime
from .lag import LagMonitor
from .logs import log_operation, log_response
from .metrics import Metrics
from .reports import ResponseObserver
from .tracing import tracing

QUEUE_INTERVAL_S = 10.0
"""Seconds between two looks at the queue of jobs."""

logger = logging.getLogger("egcforest.server")


@dataclass(frozen=True, slots=True)
class Monitors:
    """What watches.

    Attributes:
        lag: how late the event loop is.
        metrics: for Prometheus; None where the settings want none.
        metrics_port: where they are served; 0 where they are not.
        responses: told of each response of HTTP.
    """

    lag: LagMonitor
    metrics: Metrics | None = None
    metrics_port: int = 0
    responses: list[ResponseObserver] = field(default_factory=list)


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
        metrics: Metrics | None = None
        port = 0
        responses: list[ResponseObserver] = [log_response]
        if settings.serve_metrics_port is not None:
            metrics = Metrics((runtime.service.store, runtime.questions.store))
            port = stack.enter_context(metrics.served(settings))
            lag.add_observer(metrics.observe_lag)
            runtime.observers.append(metrics.observe_operation)
            responses.append(metrics.observe_response)
            logger.info("Serving metrics.", extra={"port": port})
        if settings.serve_otlp_endpoint:
            runtime.observers.append(stack.enter_context(tracing(settings.serve_otlp_endpoint)))
        watching = [asyncio.create_task(lag.run())]
        if metrics is not None:
            watching.append(asyncio.create_task(_watch_queue(runtime, metrics)))
        try:
            yield Monitors(lag, metrics, port, responses)
        finally:
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
            runtime.observers.clear()


async def _watch_queue(runtime: Runtime, metrics: Metrics) -> None:
    jobs = JobStore(runtime.service.store)
    while True:
        # A database that is away for a while is told of by /readyz.
        with suppress(GraphError, DriverError, Neo4jError):
            metrics.set_queue_length(await jobs.not_ended())
        await asyncio.sleep(QUEUE_INTERVAL_S)
