"""The server as a process of the operating system: start it detached, find it, end it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
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
_children: dict[int, subprocess.Popen[bytes]] = {}


def child_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a Java process started here."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {**passed, **(extra or {})}


def start_detached(command: list[str], cwd: Path, output: IO[bytes]) -> int:
    """Start a process that survives this one and its terminal; returns its pid."""
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
    return process.pid


def is_server(pid: int, arguments_file: Path) -> bool:
    """Whether a server that was started with `arguments_file` runs under `pid`.

    Its command line tells it from another process under a used pid. The time at which it began
    would not do: systems reckon it from their clock, and it moves when the clock is set.
    """
    import psutil

    if pid <= 0:
        return False
    child = _children.get(pid)
    if child is not None and child.poll() is None:
        # Its pid is nobody else's while it is not reaped; and for a moment after the start the
        # system shows no command line yet.
        return isinstance(child.args, list) and f"@{arguments_file}" in child.args
    try:
        process = psutil.Process(pid)
        return _is_marked(process.cmdline(), process.status(), arguments_file)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:  # it runs, but is not ours
        return False


def find_server(arguments_file: Path) -> int | None:
    """The pid of a server started with `arguments_file`, if one runs."""
    import psutil

    for process in psutil.process_iter(["pid", "cmdline", "status"]):
        info = process.info
        if _is_marked(info["cmdline"] or (), info["status"], arguments_file):
            return int(info["pid"])
    return None


def _is_marked(command: Sequence[str], status: str, arguments_file: Path) -> bool:
    import psutil

    return f"@{arguments_file}" in command and status != psutil.STATUS_ZOMBIE


def how_it_ended(pid: int) -> str:
    """How a process that was started here ended, as in `exit code 1`; empty if not known."""
    child = _children.get(pid)
    return "" if child is None else ending(child.poll())


def ending(code: int | None) -> str:
    """A return code of `subprocess` in words; empty if there is none yet."""
    if code is None:
        return ""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"ended by signal {-code}"


def end_server_process(
    pid: int, arguments_file: Path, *, patience_s: float, on_impatience: Callable[[], None]
) -> None:
    """End a server politely; after `patience_s` call `on_impatience` and kill it.

    On Windows there is no polite way for a process without a console: it is ended at once,
    and the server recovers from its transaction log at the next start.
    """
    import psutil

    if not is_server(pid, arguments_file):
        return
    try:
        process = psutil.Process(pid)
        process.terminate()
        try:
            process.wait(patience_s)
        except psutil.TimeoutExpired:
            if not is_server(pid, arguments_file):
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
