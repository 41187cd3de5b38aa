"""Why a server did not start, read from what it printed."""

from __future__ import annotations

import json
import re
from collections import deque
from contextlib import suppress
from pathlib import Path

from ..errors import PrivateNeo4jError
from .layout import Layout

_TAIL = 400
_SHOWN_LINES = 20
_PORT_TAKEN = re.compile(r"Address already in use|BindException|already (?:bound|in use)", re.I)
_KNOWN: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(r"No space left on device|Disk quota exceeded|not enough space on the disk"),
        "The disk that holds {home} is full: Neo4j could not start.",
        "Free some space, or choose another folder with EGCFOREST_DATA_DIR.",
    ),
    (
        re.compile(r"Lock file has been locked by another process|FileLockException"),
        "Another Neo4j, perhaps on another machine, uses the store in {home}.",
        "Stop it, or choose another folder with EGCFOREST_DATA_DIR.",
    ),
    (
        re.compile(
            r"unknown store version|(?:read|parse)\w* (?:current )?store version"
            r"|store version .{0,40}not supported|newer version than the current binaries"
            r"|it is a newer version, this component cannot function|descendant which is not supp",
            re.I,
        ),
        "Neo4j {version} cannot read the store in {home}: a newer one wrote it, or it is damaged.",
        "Upgrade egcforest, restore a copy, or choose another folder with EGCFOREST_DATA_DIR.",
    ),
    (
        re.compile(r"Could not reserve enough space|insufficient memory|OutOfMemoryError"),
        "There is too little memory for Neo4j.",
        "End other programs, or use a server of your own (EGCFOREST_NEO4J_URI).",
    ),
    (
        re.compile(r"AccessDeniedException|Permission denied"),
        "Neo4j may not read or write its files in {home}.",
        "Change their permissions, or choose another folder with EGCFOREST_DATA_DIR.",
    ),
)
_TELLING = re.compile(r"Caused by|ERROR|Exception|[Ee]rror:")
_NOISE = re.compile(r"WARNING: |Run with '--verbose'|at [\w.$/]+\(|\.\.\. \d+ more")
_CAUSE = re.compile(r"Caused by: (?:[\w$.]+(?:Exception|Error): )?(.+)")


def log_tail(path: Path, lines: int) -> str:
    """The last lines of a log; empty if there is none."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return "".join(deque(file, maxlen=max(lines, 0)))
    except FileNotFoundError:
        return ""


def lost_its_port(layout: Layout) -> bool:
    """Whether the server ended because another process had its port."""
    return bool(_PORT_TAKEN.search(log_tail(layout.console_log, _TAIL)))


def start_failure(
    layout: Layout, version: str, text: str | None = None, *, ending: str = ""
) -> PrivateNeo4jError:
    """The error to raise for a server that ended while it started.

    Args:
        layout: where its files are.
        version: which Neo4j it is.
        text: what it printed; the console log if None.
        ending: how its process ended, as in `exit code 1`, if that is known.
    """
    printed = log_tail(layout.console_log, _TAIL) if text is None else text
    for pattern, message, remedy in _KNOWN:
        if pattern.search(printed):
            return PrivateNeo4jError(message.format(home=layout.home, version=version), remedy)
    how = f" ({ending})" if ending else ""
    error = PrivateNeo4jError(
        f"Neo4j ended while it started{how}: {_telling_line(printed) or 'it printed nothing'}.",
        f"See `egcforest neo4j logs`, or {layout.logs_dir}.",
    )
    return with_printed(error, layout, printed)


def with_printed(
    error: PrivateNeo4jError, layout: Layout, printed: str | None = None
) -> PrivateNeo4jError:
    """`error` with the last lines of what the server printed, for its traceback.

    The sentence that a user sees has no room for them. The console log if `printed` is None.
    """
    if printed is None:
        printed = log_tail(layout.console_log, _SHOWN_LINES)
    if printed.strip():
        error.add_note("It printed:\n" + "\n".join(printed.splitlines()[-_SHOWN_LINES:]))
    return error


def broken_database_failure(layout: Layout, version: str, status: str) -> PrivateNeo4jError:
    """The error for a server that runs but cannot open its database.

    `status` is what the server says of it; the reason stands only in its debug log.
    """
    for line in reversed(log_tail(layout.debug_log, _TAIL).splitlines()):
        if "Failed to start DatabaseId" in line:
            with suppress(ValueError, KeyError):
                status += "\n" + json.loads(line)["stacktrace"]
            break
    return start_failure(layout, version, status)


def _telling_line(printed: str) -> str:
    """The root cause if there is one, else the last line that speaks of an error."""
    causes = _CAUSE.findall(printed)
    if causes:
        return str(causes[-1]).strip().rstrip(".")
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    lines = [line for line in lines if not _NOISE.match(line)]
    errors = [line for line in lines if _TELLING.search(line)]
    return (errors or lines or [""])[-1].rstrip(".")
