"""Answers of a language model: a real server that speaks the protocol stands for the model."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from egcforest.graph.connection import ConnectionConfig
from tests.api.conftest import Finished
from tests.api.graphql.conftest import HENRIKE, Asker
from tests.api.serving import serving

QUESTION = "What caused INC-37?"
ANSWER = """
query ($question: String!) { answer(question: $question, items: 6) {
  text supported unknownCitations model
  citations { number text channelName message { id } }
  evidence { context items { number } }
} }
"""


@dataclass
class Model:
    """What the server says, and what it was asked."""

    says: str = ""
    status: int = 200
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    said = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            said.requests.append(json.loads(self.rfile.read(length)) | {"path": self.path})
            said.keys.append(self.headers["Authorization"])
            choice = {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": said.says},
            }
            body = json.dumps(
                {
                    "id": "1",
                    "object": "chat.completion",
                    "created": 0,
                    "model": "small",
                    "choices": [choice],
                }
                if said.status == 200
                else {"error": {"message": "The text was: secret", "type": "server_error"}}
            ).encode()
            self.send_response(said.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    said.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield said
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def answering(sample: Finished, connection: ConnectionConfig, model: Model) -> Iterator[Asker]:
    """The sample, on a server that has a language model."""
    settings = {"answer_model": "small", "answer_url": model.url, "answer_key": "kumquat"}
    with serving(connection, "sample", **settings) as api:
        yield Asker(api)


@pytest.fixture(autouse=True)
def _forgotten(model: Model) -> None:
    model.requests.clear()
    model.keys.clear()
    model.status = 200


def test_without_a_model_it_says_how_to_have_one(ask: Asker) -> None:
    error = ask.error(ANSWER, question=QUESTION)
    assert error["code"] == "NOT_CONFIGURED"
    for name in ("EGCFOREST_ANSWER_MODEL", "EGCFOREST_ANSWER_URL", "evidence"):
        assert name in error["remedy"]


def test_citations_lead_to_the_items(answering: Asker, model: Model) -> None:
    model.says = "The buffer was unbounded [1], and the disk was slow [2, 3]."
    found = answering(ANSWER, question=QUESTION)["answer"]
    assert found["text"] == "The buffer was unbounded [1], and the disk was slow [2][3]."
    assert found["supported"] is True
    assert found["unknownCitations"] == []
    assert found["model"] == "small"
    assert [citation["number"] for citation in found["citations"]] == [1, 2, 3]
    assert all(citation["message"]["id"] for citation in found["citations"])
    (request,) = model.requests
    assert request["path"] == "/v1/chat/completions"
    assert model.keys == ["Bearer kumquat"]
    system, user = request["messages"]
    assert "Use nothing but the evidence" in system["content"]
    assert QUESTION in user["content"]
    assert found["evidence"]["context"] in user["content"]


def test_citations_of_nothing_are_taken_out_and_told(answering: Asker, model: Model) -> None:
    model.says = "It was the moon [99]. Or the buffer [1; 42]."
    found = answering(ANSWER, question=QUESTION)["answer"]
    assert found["text"] == "It was the moon. Or the buffer [1]."
    assert found["unknownCitations"] == [42, 99]
    assert found["supported"] is False
    assert [citation["number"] for citation in found["citations"]] == [1]


@pytest.mark.parametrize("says", ["It was the moon.", ""])
def test_an_answer_without_citations_is_not_supported(
    answering: Asker, model: Model, says: str
) -> None:
    model.says = says
    found = answering(ANSWER, question=QUESTION)["answer"]
    assert found["text"] == says
    assert found["supported"] is False


def test_the_model_sees_what_the_asker_may_see(answering: Asker, model: Model) -> None:
    model.says = "[1]"
    question = "What does legal-security say about INC-37?"
    answering(ANSWER, question=question)
    answering(ANSWER, HENRIKE, question=question)
    outside, inside = (request["messages"][1]["content"] for request in model.requests)
    assert "#legal-security" not in outside
    assert "#legal-security" in inside


def test_without_evidence_no_model_is_asked(answering: Asker, model: Model) -> None:
    document = """
    { answer(question: "Anything?", until: "1999-01-01T00:00:00Z") {
        text supported citations { number } } }
    """
    found = answering(document)["answer"]
    assert found["text"] == "The messages that you may see do not answer this."
    assert found["supported"] is False
    assert model.requests == []


def test_a_model_that_fails_is_unavailable_and_quotes_nothing(
    answering: Asker, model: Model
) -> None:
    model.status = 500
    answer = answering.answer(ANSWER, question=QUESTION)
    (error,) = answer["errors"]
    assert error["extensions"]["code"] == "UNAVAILABLE"
    assert "secret" not in json.dumps(answer)
    assert len(model.requests) == 2  # tried once more
