"""The fetch of Neo4j as a bar on a terminal, as a line every few seconds otherwise."""

from __future__ import annotations

import threading
import time

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

_LINE_INTERVAL_S = 5.0


class FetchProgress:
    """A `graph.private.Progress` that writes to `console`; safe for several threads."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = threading.Lock()
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._description = ""
        self._total = 0
        self._received = 0
        self._last_line_s = 0.0

    def begin(self, description: str, total_bytes: int) -> None:
        """Show the bar, or remember what the lines will say."""
        self._description, self._total, self._received = description, total_bytes, 0
        self._last_line_s = time.monotonic()
        if self._console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                DownloadColumn(),
                TransferSpeedColumn(),
                TimeRemainingColumn(),
                console=self._console,
            )
            self._task = self._bar.add_task(description, total=total_bytes)
            self._bar.start()

    def advance(self, received_bytes: int) -> None:
        """Move the bar, or write a line if the last one is old enough."""
        with self._lock:
            self._received += received_bytes
            if self._bar is not None:
                self._bar.advance(self._task, received_bytes)
            elif time.monotonic() - self._last_line_s >= _LINE_INTERVAL_S:
                self._last_line_s = time.monotonic()
                self._console.print(
                    f"{self._description}: {self._received / 1e6:.0f} of {self._total / 1e6:.0f} MB"
                )

    def end(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
