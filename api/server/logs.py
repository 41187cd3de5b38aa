"""Structured logs: one JSON object on each line, and no text that a person wrote.

Our own loggers, and uvicorn's, say sentences that hold keys and figures alone. What other
packages log is not known to be so: of theirs, and of every exception, only the kind and the
place are written.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from typing import Any, TextIO

from ..graphql.reports import OperationReport
from .reports import ResponseReport

logger = logging.getLogger("egcforest.operations")
server_logger = logging.getLogger("egcforest.server")
response_logger = logging.getLogger("egcforest.responses")

_FAILED = 400
_UPLOADS = "/uploads"

_TRUSTED = ("egcforest", "uvicorn")
_WITHHELD = "A message of another package is withheld."
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
_MAX_FRAMES = 30


class JsonFormatter(logging.Formatter):
    """Writes a record as one line of JSON.

    Args:
        always: fields that stand in every line.
    """

    def __init__(self, **always: Any) -> None:
        super().__init__()
        self._always = always

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        trusted = record.name.partition(".")[0] in _TRUSTED
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record) if trusted else _WITHHELD,
            **self._always,
        }
        if trusted:
            line |= {k: v for k, v in vars(record).items() if k not in _STANDARD}
        if record.exc_info and record.exc_info[1]:
            line["errors"] = list(_described(record.exc_info[1]))
        return json.dumps(line, default=str)


def _message(record: logging.LogRecord) -> str:
    # uvicorn hands on the traceback of an application that cannot be started, as text.
    text = record.getMessage().strip()
    return "The application cannot be started." if text.startswith("Traceback") else text


def _described(error: BaseException) -> Iterator[dict[str, Any]]:
    """The kinds and places of an exception and its causes, without what they say."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        frames = extract_tb(cause.__traceback__)[-_MAX_FRAMES:]
        kind = type(cause)
        yield {
            "type": f"{kind.__module__}.{kind.__qualname__}",
            "stack": [f"{_place(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames],
        }
        cause = cause.__cause__ or cause.__context__


def _place(filename: str) -> str:
    return "/".join(Path(filename).parts[-3:])


def configure_logging(*, insecure: bool = False, stream: TextIO | None = None) -> None:
    """Send all logs of the process to standard error, as JSON.

    Args:
        insecure: say in every line that sign-in is off.
        stream: another place to send them to.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter(**({"insecure": True} if insecure else {})))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in _TRUSTED:
        logging.getLogger(name).setLevel(logging.INFO)
    # The driver warns of each transaction that it retries; a failure that stays is an error.
    logging.getLogger("neo4j").setLevel(logging.ERROR)


def log_operation(report: OperationReport) -> None:
    """One line for each operation that has ended."""
    fields: dict[str, Any] = {
        "request_id": report.request_id,
        "token_id": report.token_id,
        "token_name": report.token_name,
        "workspace": report.workspace,
        "operation_type": report.kind,
        "operation_name": report.name[:64],
        "cost": report.cost,
        "ms": round(report.duration_ms, 1),
        "results": report.results,
        "codes": list(report.codes),
    }
    if report.on_behalf:
        fields["on_behalf"] = True
    if report.stages_ms:
        fields["stages_ms"] = {name: round(ms, 1) for name, ms in report.stages_ms.items()}
    logger.info("Operation.", extra=fields)


def log_response(report: ResponseReport) -> None:
    """One line for each response that is an error, and for each upload.

    Operations have a line of their own; what was refused before, and what is none, has only this.
    """
    if report.status < _FAILED and report.route != _UPLOADS:
        return
    fields = {
        "request_id": report.request_id,
        "route": report.route,
        "method": report.method,
        "status": report.status,
        "ms": round(report.duration_ms, 1),
    }
    response_logger.info("Response.", extra=fields)


def log_unforeseen(error: BaseException, request_id: str) -> None:
    """One line for an error of a request that nobody thought of: its kind and its place."""
    server_logger.error(
        "A request failed in an unforeseen way.", exc_info=error, extra={"request_id": request_id}
    )
