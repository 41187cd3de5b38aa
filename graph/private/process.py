"""The server as a process of the operating system: start it detached, find it, end it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

# What a Java needs of our environment. The rest, above all other programs' secrets and
# Java options, has no place in a process that outlives the command.
_PASSED_ON = (
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR",
    "TZ", "USERPROFILE",
)  # fmt: skip
UMASK = -1 if sys.platform == "win32" else 0o077
"""What Neo4j writes is for this user alone; -1 means unchanged."""
_SAME_START_S = 1.5
_children: dict[int, subprocess.Popen[bytes]] = {}


def child_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a Java process started here."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {**passed, **(extra or {})}


def start_detached(command: list[str], cwd: Path, output: IO[bytes]) -> tuple[int, float]:
    """Start a process that survives this one and its terminal; return pid and start time."""
    import psutil

    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    process = subprocess.Popen(  # noqa: S603 (our own Java and arguments)
        command,
        cwd=cwd,
        env=child_environment(),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        creationflags=flags,
        umask=UMASK,
    )
    _children[process.pid] = process
    try:
        return process.pid, psutil.Process(process.pid).create_time()
    except psutil.NoSuchProcess:  # dead already; whoever waits for it will notice
        return process.pid, 0.0


def is_alive(pid: int, created: float) -> bool:
    """Whether the process started at `created` (seconds) still runs under `pid`."""
    import psutil

    if pid <= 0:
        return False
    child = _children.get(pid)
    if child is not None and child.poll() is not None:
        return False
    try:
        process = psutil.Process(pid)
        same = abs(process.create_time() - created) < _SAME_START_S
        return same and bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:  # it runs, but is not ours
        return False


def find_server(arguments_file: Path) -> tuple[int, float] | None:
    """Pid and start time of a server started with `arguments_file`, if one runs."""
    import psutil

    marker = f"@{arguments_file}"
    for process in psutil.process_iter(["pid", "cmdline", "create_time", "status"]):
        info = process.info
        if marker in (info["cmdline"] or ()) and info["status"] != psutil.STATUS_ZOMBIE:
            return int(info["pid"]), float(info["create_time"])
    return None


def end_process(
    pid: int, created: float, *, patience_s: float, on_impatience: Callable[[], None]
) -> None:
    """End a process politely; after `patience_s` call `on_impatience` and kill it.

    On Windows there is no polite way for a process without a console: it is ended at once,
    and the server recovers from its transaction log at the next start.
    """
    import psutil

    if not is_alive(pid, created):
        return
    try:
        process = psutil.Process(pid)
        process.terminate()
        try:
            process.wait(patience_s)
        except psutil.TimeoutExpired:
            if not is_alive(pid, created):
                return
            on_impatience()
            process.kill()
            process.wait(patience_s)
    except psutil.NoSuchProcess:
        pass
    finally:
        child = _children.get(pid)
        if child is not None and child.poll() is not None:
            del _children[pid]
