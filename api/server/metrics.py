"""Metrics for Prometheus, on a port of their own: they name no person, but need no token either.

Needs the extra `telemetry`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import MissingExtraError
from ..graphql.reports import OperationReport
from .reports import ResponseReport

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...graph.store import ForestStore
    from ..settings import Settings

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_LAG_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_COSTS = (1, 5, 10, 50, 100, 500, 1000, 2500, 5000)


class Metrics:
    """The process's metrics, in a registry of their own.

    Args:
        stores: whose connections are counted together.

    Raises:
        MissingExtraError: prometheus-client is not installed.
    """

    def __init__(self, stores: Sequence[ForestStore]) -> None:
        try:
            from prometheus_client import (
                CollectorRegistry,
                Counter,
                Gauge,
                Histogram,
                ProcessCollector,
            )
        except ImportError:
            raise MissingExtraError(
                "Metrics need prometheus-client.", "Install it: pip install 'egcforest[telemetry]'."
            ) from None
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._operations = Counter(
            "egcforest_operations",
            "GraphQL operations by type and by the first error's code, or ok.",
            ("type", "status"),
            registry=registry,
        )
        self._duration = Histogram(
            "egcforest_operation_seconds",
            "Duration of queries and mutations.",
            ("type",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._cost = Histogram(
            "egcforest_operation_cost",
            "Computed cost of admitted operations.",
            buckets=_COSTS,
            registry=registry,
        )
        self._stages = Histogram(
            "egcforest_evidence_stage_seconds",
            "Duration of the stages of retrieval.",
            ("stage",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._requests = Counter(
            "egcforest_http_requests",
            "HTTP requests and WebSocket handshakes by route and status.",
            ("route", "status"),
            registry=registry,
        )
        self._lag = Histogram(
            "egcforest_event_loop_lag_seconds",
            "How late the event loop was, measured every 20 ms.",
            buckets=_LAG_SECONDS,
            registry=registry,
        )
        self._queue = Gauge(
            "egcforest_jobs_waiting", "Ingest jobs that have not ended.", registry=registry
        )
        in_use = Gauge(
            "egcforest_neo4j_connections_in_use", "Sessions of the drivers.", registry=registry
        )
        in_use.set_function(lambda: sum(store.in_use for store in stores))
        Gauge(
            "egcforest_neo4j_connections_max", "Size of the drivers' pools.", registry=registry
        ).set(sum(store.config.pool_size for store in stores))

    def observe_operation(self, report: OperationReport) -> None:
        """Count one operation."""
        status = report.codes[0] if report.codes else "ok"
        self._operations.labels(report.kind, status).inc()
        if report.kind in ("query", "mutation"):
            self._duration.labels(report.kind).observe(report.duration_ms / 1000)
        if report.kind != "none":
            self._cost.observe(report.cost)
        for stage, ms in report.stages_ms.items():
            self._stages.labels(stage).observe(ms / 1000)

    def observe_response(self, report: ResponseReport) -> None:
        """Count one request."""
        self._requests.labels(report.route, str(report.status)).inc()

    def observe_lag(self, seconds: float) -> None:
        """Note how late the event loop was."""
        self._lag.observe(seconds)

    def set_queue_length(self, jobs: int) -> None:
        """Note how many jobs have not ended."""
        self._queue.set(jobs)

    @contextmanager
    def served(self, settings: Settings) -> Iterator[int]:
        """Serve them from a thread of their own; yields the port."""
        from prometheus_client import start_http_server

        server, thread = start_http_server(
            settings.serve_metrics_port or 0,
            addr=settings.serve_metrics_host,
            registry=self.registry,
        )
        try:
            yield server.server_port
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
