"""The command line as its users have it: the installed executable in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from egcforest.graph.connection import ConnectionConfig
from tests.api.serving import Api, serving
from tests.neo4j_server import Neo4jServer

ROOT = Path(__file__).resolve().parents[2]
EXECUTABLE = Path(sys.executable).with_name("egcforest")
WORKSPACE = "cli-test"


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Cli:
    """Runs `egcforest` in an environment where nothing but `variables` is set."""

    folder: Path
    variables: dict[str, str]

    def __call__(self, *arguments: str, **variables: str) -> Finished:
        return self.run(str(EXECUTABLE), *arguments, **variables)

    def run(self, *command: str, **variables: str) -> Finished:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment(**variables),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=900,  # for a machine that does much else at the time
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    def environment(self, **variables: str) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("EGCFOREST_", "XDG_"))}
        home = {"HOME": str(self.folder), "PYTHONWARNINGS": "ignore"}
        return kept | home | self.variables | variables


@pytest.fixture(scope="session")
def cli(neo4j_server: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """The command line on the test server, with the quick encoder for unit tests."""
    return Cli(
        tmp_path_factory.mktemp("home"),
        {
            "EGCFOREST_NEO4J_URI": neo4j_server.bolt_uri,
            "EGCFOREST_NEO4J_USER": neo4j_server.user,
            "EGCFOREST_NEO4J_PASSWORD": neo4j_server.password,
            "EGCFOREST_ENCODER": "hashing",
        },
    )


@pytest.fixture(scope="session")
def bare_cli(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """The command line where nothing was ever configured or started."""
    return Cli(tmp_path_factory.mktemp("bare"), {})


@pytest.fixture(scope="session")
def sample(cli: Cli) -> Iterator[Finished]:
    """The sample workspace, ingested by the demo; it is wiped in the end."""
    yield cli.run(sys.executable, str(ROOT / "examples" / "demo.py"))
    cli("wipe", "--workspace", "sample", "--yes")


@pytest.fixture(scope="session")
def api(sample: Finished, connection: ConnectionConfig) -> Iterator[Api]:
    """The service over the sample workspace, with tokens for it. Do not write through it."""
    assert sample.code == 0, sample.err
    with serving(connection, "sample") as running:
        yield running


@pytest.fixture(scope="module")
def chat(cli: Cli) -> Iterator[Path]:
    """A small chat, ingested; it is wiped in the end."""
    path = cli.folder / "chat.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in CHAT), encoding="utf-8")
    done = cli("ingest", str(path), "--workspace", WORKSPACE)
    assert done.code == 0, done.err
    yield path
    cli("wipe", "--workspace", WORKSPACE, "--yes")


def _said(channel: str, id_: str, minute: int, author: str, text: str, **more: Any) -> Any:
    time = f"2026-03-02T09:{minute:02}:00Z"
    return {"channel": channel, "id": id_, "time": time, "author": author, "text": text, **more}


CHAT = [
    {"type": "actor", "id": "u1", "name": "ana", "real_name": "Ana Ruiz", "title": "Release lead"},
    {"type": "actor", "id": "u2", "name": "Sam Okafor", "title": "Support"},
    {"type": "actor", "id": "u3", "name": "Sam Whitby", "title": "Sales"},
    {"type": "channel", "id": "c1", "name": "harbour"},
    {
        "type": "channel",
        "id": "c2",
        "name": "board-room",
        "kind": "private",
        "members": ["u1", "u2"],
    },
    _said("c1", "1", 0, "u1", "The ferry timetable moves to the autumn schedule, see OPS-71."),
    _said("c1", "2", 3, "u2", "Is OPS-71 about the night ferry as well?", thread="1"),
    _said("c1", "3", 5, "u1", "Yes, the night ferry leaves at 23:40 from October.", thread="1"),
    _said("c2", "4", 20, "u1", "Between us: the night ferry of OPS-71 is sold to Brightwater."),
    _said("c2", "5", 22, "u2", "Understood, I keep the Brightwater sale to myself."),
]
