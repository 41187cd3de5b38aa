"""`egcforest bench` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from egcforest.api.cli.main import app
from egcforest.benchmarks.errors import BenchmarkError
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from tests.benchmarks import miniatures

RUNNER = CliRunner()


@pytest.fixture
def server(connection: ConnectionConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session's Neo4j as the configured one, with the encoder of the tests."""
    monkeypatch.setenv("EGCFOREST_NEO4J_URI", connection.uri)
    monkeypatch.setenv("EGCFOREST_NEO4J_USER", connection.user)
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD", connection.password)
    monkeypatch.setenv("EGCFOREST_ENCODER", "hashing")


async def test_bench_prints_a_table_and_writes_json_and_charts(
    store: ForestStore, server: None, tmp_path: Path
):
    import asyncio

    data = miniatures.qmsum(tmp_path / "data")
    out, charts = tmp_path / "out" / "results.json", tmp_path / "charts"
    arguments = ["bench", "qmsum", "--data", str(data), "--systems", "egcforest, bm25"]
    arguments += ["--studies", "budget", "--out", str(out), "--charts", str(charts), "--quiet"]
    done = await asyncio.to_thread(RUNNER.invoke, app, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "qmsum: 2 measured questions over 5 messages" in done.stdout
    results = json.loads(out.read_text(encoding="utf-8"))
    assert list(results) == ["dataset", "settings", "systems", "studies", "efficiency"]
    assert list(results["systems"]) == ["bm25", "egcforest"]
    assert {path.name for path in charts.iterdir()} == {
        f"qmsum-{name}.{ending}" for name in ("systems", "budget") for ending in ("svg", "png")
    }
    assert "bench-qmsum" not in await LogStore(store).workspaces()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["squad"], "There is no dataset 'squad'"),
        (["herb", "--within"], "asked of the whole workspace"),
        (["qmsum", "--systems", "bm26"], "There is no system 'bm26'"),
        (["qmsum", "--studies", "luck"], "There is no study 'luck'"),
    ],
)
def test_bench_refuses_what_it_does_not_know_before_anything_starts(
    arguments: list[str], sentence: str, tmp_path: Path
):
    miniatures.qmsum(tmp_path)
    done = RUNNER.invoke(app, ["bench", *arguments, "--data", str(tmp_path)])
    assert isinstance(done.exception, BenchmarkError)
    assert sentence in str(done.exception)
