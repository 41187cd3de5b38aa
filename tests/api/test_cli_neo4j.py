"""`egcforest neo4j` as a user types it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from egcforest.api.cli.fetch_progress import FetchProgress
from egcforest.api.cli.neo4j import app
from egcforest.graph.private.artifacts import artifacts_for, this_system
from tests.api.conftest import Cli
from tests.neo4j_server import test_cache_dir

runner = CliRunner()


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EGCFOREST_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("EGCFOREST_CACHE_DIR", str(test_cache_dir()))
    return tmp_path / "data"


def test_what_is_not_running_is_told_and_nothing_is_made(data_dir: Path, bare_cli: Cli) -> None:
    status = runner.invoke(app, ["status", "--json"])
    assert status.exit_code == 3
    assert json.loads(status.stdout)["running"] is False
    stop = runner.invoke(app, ["stop"])
    assert (stop.exit_code, stop.stdout) == (0, "It was not running.\n")
    browser = bare_cli("neo4j", "browser", EGCFOREST_DATA_DIR=str(data_dir))
    assert (browser.code, browser.out) == (1, "")
    assert "is not running. Start it with `egcforest neo4j start`." in browser.err
    password = bare_cli("neo4j", "password", EGCFOREST_DATA_DIR=str(data_dir))
    assert (password.code, password.out) == (1, "")
    assert "was never started and has no password yet. Start it with" in password.err
    assert runner.invoke(app, ["logs"]).stdout == ""
    assert not data_dir.exists()


def test_errors_are_a_sentence_without_a_traceback(data_dir: Path, bare_cli: Cli) -> None:
    missing = str(data_dir / "no-java")
    variables = {"EGCFOREST_DATA_DIR": str(data_dir), "EGCFOREST_JAVA": missing}
    result = bare_cli("neo4j", "start", **variables)
    assert result.code == 1
    assert result.err.startswith(f"Error: There is no Java at {missing}.")
    assert result.err.count("\n") == 1


def test_artifacts_lists_what_an_offline_folder_must_hold(data_dir: Path) -> None:
    lines = runner.invoke(app, ["artifacts"]).stdout.splitlines()
    assert len(lines) == len(artifacts_for(this_system()))
    path, sha256, size = lines[0].split()
    assert path.endswith(".jar")
    assert len(sha256) == 64
    assert int(size) > 0


@pytest.mark.timeout(600)
def test_a_server_from_start_to_stop(data_dir: Path) -> None:
    try:
        started = runner.invoke(app, ["start"])
        assert started.exit_code == 0, started.output
        assert "It stays up until `egcforest neo4j stop`." in started.stderr
        assert "Password: egcforest neo4j password\n" in started.stdout

        status = runner.invoke(app, ["status", "--json"])
        facts = json.loads(status.stdout)
        assert (status.exit_code, facts["running"]) == (0, True)
        assert facts["bolt_uri"] in started.stdout
        assert facts["data_dir"] == str(data_dir / "neo4j")
        shown = runner.invoke(app, ["status"], env={"COLUMNS": "200"}).stdout
        assert facts["browser_url"] in shown

        password = runner.invoke(app, ["password"]).stdout
        assert password.endswith("\n")
        assert password.strip() == (data_dir / "neo4j" / "password").read_text().strip()
        for output in (started.output, status.output, shown):
            assert password.strip() not in output

        browser = runner.invoke(app, ["browser", "MATCH (n) RETURN n"]).stdout
        assert browser.endswith("&cmd=edit&arg=MATCH%20%28n%29%20RETURN%20n\n")
        assert "Started." in runner.invoke(app, ["logs", "-n", "200"]).stdout
        assert len(runner.invoke(app, ["logs", "-n", "2"]).stdout.splitlines()) == 2

        again = runner.invoke(app, ["start"])
        assert f"It already runs (process {facts['pid']})." in again.stdout
    finally:
        stopped = runner.invoke(app, ["stop"])
    assert stopped.stdout == "Stopped.\n"
    assert runner.invoke(app, ["status"]).exit_code == 3


def test_the_fetch_shows_lines_where_there_is_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with path.open("w") as file:
        progress = FetchProgress(Console(file=file, force_terminal=False))
        progress.begin("Fetching Neo4j", 10_000_000)
        progress.advance(1_000_000)
        progress._last_line_s -= 10  # as if that were long ago
        progress.advance(4_000_000)
        progress.end()
    assert path.read_text() == "Fetching Neo4j: 5 of 10 MB\n"


def test_the_fetch_shows_a_bar_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with path.open("w") as file:
        progress = FetchProgress(Console(file=file, force_terminal=True, width=100))
        progress.begin("Fetching Neo4j", 10_000_000)
        progress.advance(10_000_000)
        progress.end()
    shown = path.read_text()
    assert "10.0/10.0 MB" in shown
    assert os.linesep not in shown[:1]
