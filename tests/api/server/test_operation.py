"""The service as an operator has it: a process, its logs, its metrics, its end."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.api.conftest import EXECUTABLE, ROOT, Cli
from tests.api.server.sockets import signed_in
from tests.api.serving import Api, ServeProcess, serve_process

CANARY = "xylophone-heptagon-quicksilver"


@pytest.fixture(scope="module")
def served(api: Api, cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """The service with metrics."""
    environment = cli.environment(EGCFOREST_SERVE_METRICS_PORT="0")
    log = tmp_path_factory.mktemp("serve") / "log"
    command = (str(EXECUTABLE), "serve", "--port", "0")
    with serve_process(command, environment, log) as process:
        yield process


def ask(url: str, token: str, query: str, **variables: object) -> httpx.Response:
    return httpx.post(
        f"{url}/graphql",
        json={"query": query, "variables": variables},
        headers={"Authorization": f"Bearer {token}"},
        timeout=60,
    )


EVIDENCE = """query Asked($question: String!) {
  evidence(question: $question) { items { text } tokens }
}"""


def test_the_log_has_each_operation_and_no_text(api: Api, served: ServeProcess) -> None:
    token = api.token("maren.petersen")
    assert ask(served.url, token, EVIDENCE, question=CANARY).json()["data"]["evidence"]
    failing = {
        "a word in a document": (
            f'{{ evidence(question: "{CANARY}", items: -1) {{ tokens }} }}',
            {},
        ),
        "an unknown field": (f"{{ {CANARY.replace('-', '')} }}", {}),
        "a syntax error": (f'{{ evidence(question: "{CANARY} }}', {}),
        "a variable of the wrong kind": (EVIDENCE, {"question": [CANARY]}),
        "a key that is none": (f'{{ message(key: "{CANARY}") {{ text }} }}', {}),
        "a cursor that is none": (f'{{ channels(after: "{CANARY}") {{ nodes {{ name }} }} }}', {}),
    }
    for document, variables in failing.values():
        ask(served.url, token, document, **variables)
    httpx.post(f"{served.url}/graphql", content=CANARY, headers={"Authorization": CANARY})
    httpx.get(f"{served.url}/{CANARY}", params={"q": CANARY})
    with signed_in(served.url, token) as socket:
        payload = {"query": EVIDENCE, "variables": {"question": CANARY}}
        socket.send(json.dumps({"type": "subscribe", "id": CANARY, "payload": payload}))
        assert json.loads(socket.recv(timeout=60))["type"] == "next"
    text = served.log.read_text("utf-8").lower()
    for canary in (CANARY, CANARY.replace("-", ""), *CANARY.split("-"), token.lower()):
        assert canary not in text
    found = [line for line in served.lines() if line.get("operation_name") == "Asked"]
    assert len(found) >= 2
    first = found[0]
    assert first["operation_type"] == "query"
    assert first["codes"] == []
    assert first["cost"] > 50
    assert first["ms"] >= sum(first["stages_ms"].values()) > 0
    assert first["token_id"] in token
    assert re.fullmatch("[0-9a-f]{32}", first["request_id"])


def test_metrics_tell_what_was_done(api: Api, served: ServeProcess) -> None:
    token = api.token()
    ask(served.url, token, EVIDENCE, question="Who owns the release?")
    ask(served.url, token, "{ nothingLikeThis }")
    port = next(line["port"] for line in served.lines() if "port" in line)
    text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    for expected in (
        'egcforest_operations_total{status="ok",type="query"}',
        'egcforest_operations_total{status="BAD_INPUT",type="none"}',
        'egcforest_evidence_stage_seconds_count{stage="search"}',
        'egcforest_http_requests_total{route="/graphql",status="200"}',
        "egcforest_event_loop_lag_seconds_bucket",
        "egcforest_neo4j_connections_in_use 0.0",
        "egcforest_neo4j_connections_max 100.0",
        "egcforest_jobs_waiting",
    ):
        assert expected in text
    # They are not where the world can ask.
    assert httpx.get(f"{served.url}/metrics").status_code == 401


def test_health_needs_no_token(served: ServeProcess) -> None:
    assert httpx.get(f"{served.url}/healthz").json() == {
        "status": "alive",
        "database": "answers",
    }
    ready = httpx.get(f"{served.url}/readyz", timeout=30)
    assert ready.json() == {"status": "ready"}
    assert ready.headers["x-request-id"]


def test_sigterm_lets_running_requests_finish(api: Api, cli: Cli, tmp_path: Path) -> None:
    token = api.token("maren.petersen")
    command = (str(EXECUTABLE), "serve", "--port", "0")
    finished: list[float] = []

    def keep_asking(url: str) -> None:
        """Ask until nobody listens any more; every answer has to be whole."""
        while True:
            try:
                answer = ask(url, token, EVIDENCE, question="Who owns the release?")
            except httpx.TransportError:
                return
            assert answer.json()["data"]["evidence"]["items"]
            finished.append(time.monotonic())

    with (
        serve_process(command, cli.environment(), tmp_path / "log") as process,
        ThreadPoolExecutor(4) as threads,
    ):
        with signed_in(process.url, token) as socket:
            asking = [threads.submit(keep_asking, process.url) for _ in range(4)]
            while not finished:
                time.sleep(0.05)
            began = time.monotonic()
            code = process.stop()
            assert time.monotonic() - began < 25
            for one in asking:
                one.result()
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=30)
            assert socket.close_code == 1012  # the service restarts
        assert max(finished) > began
        assert code == -signal.SIGTERM
        assert {line["level"] for line in process.lines()} == {"info"}


def test_insecure_says_so_in_each_line(api: Api, cli: Cli, tmp_path: Path) -> None:
    command = (str(EXECUTABLE), "serve", "--port", "0", "--insecure", "-w", api.workspace)
    log = tmp_path / "log"
    environment = cli.environment(EGCFOREST_SERVE_RATE_PER_MINUTE="3")
    with log.open("ab"), serve_process(command, environment, log) as process:
        answers = [
            httpx.post(f"{process.url}/graphql", json={"query": "{ serviceVersion }"})
            for _ in range(5)
        ]
        text = log.read_text("utf-8")
    assert [answer.status_code for answer in answers[:3]] == [200] * 3
    assert answers[-1].status_code == 429
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
    assert answers[-1].json()["errors"][0]["extensions"]["code"] == "RATE_LIMITED"
    warning, *lines = text.splitlines()
    assert warning.startswith("WARNING: --insecure")
    assert "reads what is public and writes as" in warning
    assert lines
    assert all(json.loads(line)["insecure"] is True for line in lines)


def test_a_taken_port_is_named(cli: Cli, served: ServeProcess) -> None:
    port = served.url.rpartition(":")[2]
    done = cli("serve", "--port", port)
    assert done.code == 1
    assert f"Nothing can listen on 127.0.0.1:{port}." in done.err.splitlines()[-1]


def test_a_database_that_is_not_there_is_named(cli: Cli) -> None:
    done = cli("serve", "--port", "0", EGCFOREST_NEO4J_URI="bolt://127.0.0.1:9")
    assert done.code == 1
    assert "No Neo4j answers at bolt://127.0.0.1:9." in done.err.splitlines()[-1]
    assert "Traceback" not in done.err


def test_make_serve_prints_a_token_that_works_for_curl_and_the_agent(
    api: Api, cli: Cli, tmp_path: Path
) -> None:
    command = (sys.executable, str(ROOT / "examples" / "serve.py"))
    environment = cli.environment(EGCFOREST_SERVE_PORT="0")
    with serve_process(command, environment, tmp_path / "log") as process:
        text = process.log.read_text("utf-8")
        (token,) = set(re.findall(r"egcf_\w+", text))
        curl = text[text.index("curl ") : text.index("Stop it")].replace("\\\n", " ")
        body = shlex.split(curl)[-1]
        answer = httpx.post(
            f"{process.url}/graphql",
            content=body,
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            timeout=60,
        )
        told = cli.run(
            sys.executable,
            str(ROOT / "examples" / "agent.py"),
            "What happened in INC-37?",
            EGCFOREST_URL=process.url,
            EGCFOREST_TOKEN=token,
            OPENAI_BASE_URL="",
        )
    assert len(answer.json()["data"]["evidence"]["items"]) == 3
    assert told.code == 0, told.err
    assert re.search(r"^\[1\] 2026-\d\d-\d\d", told.out, re.MULTILINE), told.out
