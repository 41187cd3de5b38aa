from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import psutil
import pytest

from egcforest.graph.private import process

IGNORES_SIGTERM = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); "
    "time.sleep(60)"
)
SLEEPS = "import time; time.sleep(60)"


@pytest.fixture
def arguments(tmp_path: Path) -> Path:
    return tmp_path / "server.args"


def _start(arguments: Path, code: str) -> int:
    with (arguments.parent / "out").open("wb") as output:
        return process.start_detached(
            [sys.executable, "-c", code, f"@{arguments}"], arguments.parent, output
        )


def _end(pid: int, arguments: Path) -> None:
    process.end_server_process(pid, arguments, patience_s=10, on_impatience=lambda: None)


def _wait_for_end(pid: int, arguments: Path) -> None:
    deadline = time.monotonic() + 20
    while process.is_server(pid, arguments) and time.monotonic() < deadline:
        time.sleep(0.02)


def test_a_started_process_has_its_own_session_and_few_variables(
    arguments: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-Xmx1m")
    pid = _start(arguments, SLEEPS)
    try:
        environment = psutil.Process(pid).environ()
        assert "OPENAI_API_KEY" not in environment
        assert "JDK_JAVA_OPTIONS" not in environment
        if sys.platform != "win32":
            assert os.getsid(pid) == pid
    finally:
        _end(pid, arguments)


def test_a_server_is_known_and_found_by_its_argument_file(arguments: Path) -> None:
    assert process.find_server(arguments) is None
    pid = _start(arguments, SLEEPS)
    try:
        assert process.is_server(pid, arguments)
        assert process.find_server(arguments) == pid
        assert process.how_it_ended(pid) == ""
        assert not process.is_server(pid, arguments.with_name("another.args")), "a used pid"
        assert not process.is_server(os.getpid(), arguments), "a used pid"
    finally:
        _end(pid, arguments)
    assert not process.is_server(pid, arguments)
    assert process.find_server(arguments) is None


def test_a_clock_that_is_set_ends_nothing(arguments: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = _start(arguments, SLEEPS)
    try:
        # What psutil does with a process's beginning when the clock is set forward.
        monkeypatch.setattr(psutil.Process, "create_time", lambda self: time.time() + 3600)
        assert process.is_server(pid, arguments)
    finally:
        monkeypatch.undo()
        _end(pid, arguments)


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        ("pass", "exit code 0"),
        ("import sys; sys.exit(3)", "exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", "ended by SIGKILL"),
    ],
)
def test_one_that_ended_by_itself_tells_how(arguments: Path, code: str, ending: str) -> None:
    if sys.platform == "win32" and "kill" in code:
        pytest.skip("signals")
    pid = _start(arguments, code)
    _wait_for_end(pid, arguments)
    assert not process.is_server(pid, arguments)
    assert process.how_it_ended(pid) == ending
    _end(pid, arguments)  # there is nothing to end
    assert not process.is_server(0, arguments)
    assert process.how_it_ended(os.getpid()) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_one_that_does_not_stop_is_killed_and_that_is_told(arguments: Path) -> None:
    pid = _start(arguments, IGNORES_SIGTERM)
    while not (arguments.parent / "out").read_text():
        time.sleep(0.02)
    told: list[bool] = []
    process.end_server_process(
        pid, arguments, patience_s=0.5, on_impatience=lambda: told.append(True)
    )
    assert told == [True]
    assert not process.is_server(pid, arguments)
