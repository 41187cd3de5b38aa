"""Ctrl-C in the middle of a command: one sentence, exit code 130, and the command goes on later."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.conftest import EXECUTABLE, Cli

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")
WORKSPACE = "interrupted"
MESSAGES = 3000


@pytest.fixture(scope="module")
def chat_file(cli: Cli) -> Iterator[Path]:
    lines = [{"type": "channel", "id": "c1", "name": "harbour"}]
    lines += [
        {
            "channel": "c1",
            "id": str(number),
            "time": f"2026-03-{1 + number // 1440:02}T{number // 60 % 24:02}:{number % 60:02}:00Z",
            "author": f"u{number % 7}",
            "text": f"The ferry of pier {number % 40} leaves at {number % 24}, OPS-{number % 90}",
        }
        for number in range(MESSAGES)
    ]
    path = cli.folder / "interrupted.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    yield path
    cli("wipe", "--workspace", WORKSPACE, "--yes")


@pytest.mark.parametrize("said", ["Looking through", "Logging", "Growing channel trees"])
def test_an_interrupted_ingest_ends_in_a_sentence_and_goes_on(
    cli: Cli, chat_file: Path, said: str
) -> None:
    process = subprocess.Popen(
        [EXECUTABLE, "ingest", str(chat_file), "--workspace", WORKSPACE],
        cwd=cli.folder,
        env=cli.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    shown = []
    for line in process.stderr:
        shown.append(line)
        if line.startswith(said):  # the step is over, the next one has begun
            process.send_signal(signal.SIGINT)
            break
    out, rest = process.communicate(timeout=300)
    shown += rest.splitlines(keepends=True)
    assert process.returncode == 130, (out, shown)
    assert shown[-1] == "Interrupted. The same command goes on where it stopped.\n"
    assert not [line for line in shown if "Traceback" in line]
    assert out == ""


def test_the_same_command_goes_on_afterwards(cli: Cli, chat_file: Path) -> None:
    done = cli("ingest", str(chat_file), "--workspace", WORKSPACE, "--json")
    assert done.code == 0, done.err
    total = done.json["receipt"]["total"]
    assert total["read"] == MESSAGES == total["added"] + total["unchanged"]
    again = cli("ingest", str(chat_file), "--workspace", WORKSPACE, "--json").json
    assert again["receipt"]["total"]["unchanged"] == MESSAGES
    assert not again["build"]["counts"].get("trees")


def test_interrupted_before_it_has_begun(cli: Cli) -> None:
    """While Python still reads modules."""
    raising = (
        "import builtins, signal, os\n"
        "import egcforest.api.cli.entry as e\n"
        "real = builtins.__import__\n"
        "def loading(name, *rest):\n"
        "    if name == 'main':\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = loading\n"
        "e.main()\n"
    )
    done = cli.run(sys.executable, "-c", raising)
    assert (done.code, done.err) == (130, "Interrupted.\n")
