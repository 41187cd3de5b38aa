"""Load on a running service: requests a second, their durations, and the event loop's lag.

Eight clients ask questions one after another while an export is being ingested through the
service. The lag is measured inside the service, by the histogram that its metrics show:

    EGCFOREST_SERVE_METRICS_PORT=9464 egcforest serve
    python -m egcforest.benchmarks.serve_load --url http://127.0.0.1:8080 --token egcf_... \\
        --questions questions.txt --upload messages.jsonl --metrics http://127.0.0.1:9464/metrics

`--herb FOLDER` takes the questions of HERB instead, from FOLDER/qa/answerable.jsonl.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path

import httpx

EVIDENCE = """query Load($question: String!) {
  evidence(question: $question) {
    tokens items { text message { author { name } channel { name } } }
  }
}"""
START = """mutation($input: StartUploadInput!) {
  startUpload(input: $input) { job { id } upload { url method } }
}"""
JOB = "query($id: ID!) { ingestJob(id: $id) { state } }"
ENDED = ("DONE", "FAILED", "CANCELLED")
_LAG = re.compile(r'^egcforest_event_loop_lag_seconds_bucket\{le="([^"]+)"\} ([0-9.e+]+)$', re.M)


@dataclass(frozen=True, slots=True)
class Load:
    """What was measured. Durations in milliseconds."""

    seconds: float
    requests: int
    errors: int
    requests_per_second: float
    p50_ms: float
    p95_ms: float
    upload: str
    lag_p99_below_ms: float | None


async def measure(
    client: httpx.AsyncClient,
    questions: Sequence[str],
    *,
    clients: int,
    seconds: float,
    upload: Path | None,
    metrics: str,
) -> Load:
    """Ask for `seconds`, with `clients` at a time, while `upload` is ingested."""
    before = await _lags(metrics)
    ingesting = asyncio.create_task(_ingest(client, upload)) if upload else None
    durations: list[float] = []
    errors = 0
    began = time.perf_counter()
    asked = cycle(questions)

    async def ask() -> None:
        nonlocal errors
        while time.perf_counter() - began < seconds:
            body = {"query": EVIDENCE, "variables": {"question": next(asked)}}
            started = time.perf_counter()
            answer = await client.post("/graphql", json=body)
            durations.append((time.perf_counter() - started) * 1000)
            errors += answer.status_code != httpx.codes.OK or "errors" in answer.json()

    await asyncio.gather(*(ask() for _ in range(clients)))
    took = time.perf_counter() - began
    lag = _quantile(before, await _lags(metrics), 0.99)
    state = "none"
    if ingesting is not None:
        state = ingesting.result() if ingesting.done() else "still running"
        ingesting.cancel()
    ordered = statistics.quantiles(durations, n=100)
    return Load(
        round(took, 1),
        len(durations),
        errors,
        round(len(durations) / took, 2),
        round(ordered[49], 1),
        round(ordered[94], 1),
        state,
        lag,
    )


async def _ingest(client: httpx.AsyncClient, path: Path) -> str:
    content = await asyncio.to_thread(path.read_bytes)
    wanted = {
        "filename": path.name,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    started = await client.post("/graphql", json={"query": START, "variables": {"input": wanted}})
    begun = started.json()["data"]["startUpload"]
    await client.request(begun["upload"]["method"], begun["upload"]["url"], content=content)
    while True:
        await asyncio.sleep(1)
        body = {"query": JOB, "variables": {"id": begun["job"]["id"]}}
        answer = (await client.post("/graphql", json=body)).json()
        state = str(answer["data"]["ingestJob"]["state"])
        if state in ENDED:
            return state


async def _lags(metrics: str) -> dict[float, float]:
    """Counts of measurements by upper bound in seconds, cumulative."""
    if not metrics:
        return {}
    async with httpx.AsyncClient() as client:
        text = (await client.get(metrics)).text
    return {float(bound): float(count) for bound, count in _LAG.findall(text)}


def _quantile(
    before: dict[float, float], after: dict[float, float], quantile: float
) -> float | None:
    """The smallest bound, in milliseconds, below which that share of the new measurements lies."""
    new = {bound: count - before.get(bound, 0.0) for bound, count in sorted(after.items())}
    total = max(new.values(), default=0.0)
    return next((bound * 1000 for bound, count in new.items() if count >= quantile * total), None)


def _questions(listed: Path | None, herb: Path | None) -> list[str]:
    """The questions of a text, one on each line, or those of HERB that can be answered."""
    path = herb / "qa" / "answerable.jsonl" if herb else listed
    assert path is not None
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [str(json.loads(line)["question"]) for line in lines] if herb else lines


def main() -> None:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser(description="Load on a running service.")
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--token", required=True, help="with the scopes read and ingest")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--questions", type=Path, help="a text with one on each line")
    asked.add_argument("--herb", type=Path, metavar="FOLDER", help="HERB, for its questions")
    parser.add_argument("--upload", type=Path, help="an export to ingest meanwhile")
    parser.add_argument("--metrics", default="", help="address of the metrics")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    questions = _questions(given.questions, given.herb)
    if not questions:
        parser.error("There is no question.")

    async def run() -> Load:
        headers = {"Authorization": f"Bearer {given.token}"}
        async with httpx.AsyncClient(base_url=given.url, headers=headers, timeout=120) as client:
            return await measure(
                client,
                questions,
                clients=given.clients,
                seconds=given.seconds,
                upload=given.upload,
                metrics=given.metrics,
            )

    json.dump(asdict(asyncio.run(run())), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
