"""Traces for OpenTelemetry, sent by OTLP over HTTP: one span for each operation, none of its text.

Needs the extra `telemetry`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ... import __version__
from ..errors import MissingExtraError
from ..graphql.reports import Observer, OperationReport

_NS_PER_MS = 1_000_000


@contextmanager
def tracing(endpoint: str) -> Iterator[Observer]:
    """What makes spans of reports, for as long as the context lasts; then all are sent.

    Args:
        endpoint: address that takes traces, such as `http://collector:4318/v1/traces`.

    Raises:
        MissingExtraError: OpenTelemetry is not installed.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.propagate import extract
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context
    except ImportError:
        raise MissingExtraError(
            "Traces need OpenTelemetry.", "Install it: pip install 'egcforest[telemetry]'."
        ) from None
    resource = Resource.create({"service.name": "egcforest", "service.version": __version__})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    tracer = provider.get_tracer("egcforest", __version__)

    def observe(report: OperationReport) -> None:
        began_ns = report.began_ns
        span = tracer.start_span(
            f"{report.kind} {report.name}".strip(),
            context=extract(dict(report.trace_headers)),
            kind=SpanKind.SERVER,
            start_time=began_ns,
            attributes={
                "graphql.operation.type": report.kind,
                "graphql.operation.name": report.name,
                "egcforest.request_id": report.request_id,
                "egcforest.token_id": report.token_id,
                "egcforest.cost": report.cost,
                "egcforest.codes": list(report.codes),
            },
        )
        within = set_span_in_context(span)
        # A question's stages follow one another; where there are several questions, each has
        # its own operation or its stages are added up.
        at_ns = began_ns
        for name, ms in report.stages_ms.items():
            stage = tracer.start_span(f"stage {name}", context=within, start_time=at_ns)
            at_ns += int(ms * _NS_PER_MS)
            stage.end(at_ns)
        if report.codes:
            span.set_status(Status(StatusCode.ERROR, report.codes[0]))
        span.end(began_ns + int(report.duration_ms * _NS_PER_MS))

    try:
        yield observe
    finally:
        provider.shutdown()
