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


def _start(tmp_path: Path, code: str, *more: str) -> tuple[int, float]:
    with (tmp_path / "out").open("wb") as output:
        return process.start_detached([sys.executable, "-c", code, *more], tmp_path, output)


def test_a_started_process_has_its_own_session_and_few_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-Xmx1m")
    pid, created = _start(tmp_path, "import time; time.sleep(60)")
    try:
        assert process.is_alive(pid, created)
        assert not process.is_alive(pid, created - 10), "another process under a used pid"
        environment = psutil.Process(pid).environ()
        assert "OPENAI_API_KEY" not in environment
        assert "JDK_JAVA_OPTIONS" not in environment
        if sys.platform != "win32":
            assert os.getsid(pid) == pid
    finally:
        process.end_process(pid, created, patience_s=10, on_impatience=lambda: None)
    assert not process.is_alive(pid, created)


def test_a_process_that_ended_by_itself_is_not_alive(tmp_path: Path) -> None:
    pid, created = _start(tmp_path, "pass")
    deadline = time.monotonic() + 20
    while process.is_alive(pid, created) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not process.is_alive(pid, created)
    process.end_process(pid, created, patience_s=1, on_impatience=lambda: None)
    assert not process.is_alive(0, 0.0)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_one_that_does_not_stop_is_killed_and_that_is_told(tmp_path: Path) -> None:
    pid, created = _start(tmp_path, IGNORES_SIGTERM)
    while not (tmp_path / "out").read_text():
        time.sleep(0.02)
    told: list[bool] = []
    process.end_process(pid, created, patience_s=0.5, on_impatience=lambda: told.append(True))
    assert told == [True]
    assert not process.is_alive(pid, created)


def test_a_server_is_found_by_its_argument_file(tmp_path: Path) -> None:
    file = tmp_path / "server.args"
    assert process.find_server(file) is None
    started = _start(tmp_path, "import time; time.sleep(60)", f"@{file}")
    try:
        found = process.find_server(file)
        assert found is not None
        assert found[0] == started[0]
        assert process.is_alive(*found)
    finally:
        process.end_process(*started, patience_s=10, on_impatience=lambda: None)
    assert process.find_server(file) is None
