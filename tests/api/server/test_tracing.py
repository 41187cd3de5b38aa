"""Traces as a collector of OpenTelemetry gets them: over real OTLP/HTTP."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from egcforest.graph.connection import ConnectionConfig
from egcforest.retrieval.trace import Stage
from tests.api.serving import Api, serving

CANARY = "xylophone-heptagon-quicksilver"
TRACE_ID, PARENT_ID = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@dataclass
class Collector:
    """What arrived: each body as it came, unpacked."""

    endpoint: str = ""
    bodies: list[bytes] = field(default_factory=list)

    @property
    def spans(self) -> list[Span]:
        return [
            span
            for body in self.bodies
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    @property
    def services(self) -> set[str]:
        return {
            attribute.value.string_value
            for body in self.bodies
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for attribute in resource.resource.attributes
            if attribute.key == "service.name"
        }


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that takes traces until the context ends."""
    collector = Collector()

    class Takes(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            collector.bodies.append(body)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Takes) as server:
        collector.endpoint = f"http://127.0.0.1:{server.server_address[1]}/v1/traces"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join(30)


def attributes(span: Span) -> dict[str, Any]:
    def plain(value: AnyValue) -> Any:
        kind = value.WhichOneof("value")
        if kind == "array_value":
            return [plain(one) for one in value.array_value.values]
        return getattr(value, str(kind))

    return {attribute.key: plain(attribute.value) for attribute in span.attributes}


@dataclass
class Traced:
    """What was asked, and what the collector got of it."""

    collector: Collector
    texts: list[str]
    token: str
    request_id: str

    def named(self, name: str) -> Span:
        (span,) = [span for span in self.collector.spans if span.name == name]
        return span


@pytest.fixture(scope="module")
def traced(api: Api, connection: ConnectionConfig) -> Traced:
    document = (
        "query Asked($q: String!) { evidence(question: $q) { items { text } headings { lines } } }"
    )
    question = f"Why was the project renamed, {CANARY}?"
    with (
        collecting() as collector,
        serving(connection, api.workspace, serve_otlp_endpoint=collector.endpoint) as running,
    ):
        token = running.token()
        with running.client(token, traceparent=f"00-{TRACE_ID}-{PARENT_ID}-01") as client:
            body = {"query": document, "variables": {"q": question}}
            answer = client.post("/graphql", json=body)
            wrong = f'query Wrong {{ evidence(question: "{CANARY}", items: -1) {{ tokens }} }}'
            assert client.post("/graphql", json={"query": wrong}).json()["errors"]
            # What stands where a name should is no name.
            client.post("/graphql", json={"query": f'{{ message(key: "{CANARY}") {{ text }} }}'})
            client.post("/graphql", json={"query": f'{{ search(text: "{CANARY}" }}'})
        # The server ends within the context, and sends what is left before it does.
        found = answer.json()["data"]["evidence"]
    texts = [item["text"] for item in found["items"]]
    texts += [line for heading in found["headings"] for line in heading["lines"]]
    assert len(texts) > 10
    return Traced(collector, texts, token, answer.headers["x-request-id"])


def test_an_operation_has_a_span_that_goes_on_from_the_request(traced: Traced) -> None:
    assert traced.collector.services == {"egcforest"}
    span = traced.named("query Asked")
    assert span.trace_id.hex() == TRACE_ID
    assert span.parent_span_id.hex() == PARENT_ID
    assert span.kind == Span.SPAN_KIND_SERVER
    assert span.status.code != Status.STATUS_CODE_ERROR
    found = attributes(span)
    assert found["graphql.operation.type"] == "query"
    assert found["egcforest.request_id"] == traced.request_id
    assert found["egcforest.token_id"] in traced.token
    assert found["egcforest.cost"] > 50
    assert found["egcforest.codes"] == []


def test_the_stages_lie_within_the_operation(traced: Traced) -> None:
    whole = traced.named("query Asked")
    stages = [one for one in traced.collector.spans if one.parent_span_id == whole.span_id]
    assert {one.name for one in stages} == {f"stage {stage}" for stage in Stage}
    for stage in stages:
        assert stage.trace_id == whole.trace_id
        assert whole.start_time_unix_nano <= stage.start_time_unix_nano
        assert stage.start_time_unix_nano <= stage.end_time_unix_nano
        assert stage.end_time_unix_nano <= whole.end_time_unix_nano
    assert whole.start_time_unix_nano < whole.end_time_unix_nano


def test_an_operation_that_fails_is_an_error_with_its_code(traced: Traced) -> None:
    (failed,) = [
        one
        for one in traced.collector.spans
        if attributes(one).get("graphql.operation.name") == "Wrong"
    ]
    assert failed.status.code == Status.STATUS_CODE_ERROR
    assert failed.status.message == "BAD_INPUT"
    assert attributes(failed)["egcforest.codes"] == ["BAD_INPUT"]


def test_no_text_is_sent(traced: Traced) -> None:
    sent = b"".join(traced.collector.bodies)
    for canary in (CANARY, *CANARY.split("-"), "renamed", *traced.texts):
        assert canary.encode() not in sent
    assert traced.token.encode() not in sent


def test_a_collector_that_is_not_there_holds_nobody_up(
    api: Api, connection: ConnectionConfig
) -> None:
    with collecting() as collector:
        gone = collector.endpoint
    with serving(connection, api.workspace, serve_otlp_endpoint=gone) as running:
        answer = running.query("{ workspace { name } }", running.token())
    assert answer["data"]["workspace"]["name"] == api.workspace
