"""Progress of long work: bars on a terminal, plain lines otherwise.

The builders say what they do to a `Report`; who runs them decides how it is shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

LINE_INTERVAL_S = 5.0


class Report(Protocol):
    """What a builder tells about its progress. Steps follow one another, never nest."""

    def step(self, name: str, total: int | None = None) -> None:
        """Begin a step of `total` items (None: unknown); the step before it is finished."""
        ...

    def advance(self, count: int = 1) -> None:
        """`count` more items of the current step are done; ignored outside a step."""
        ...

    def note(self, line: str) -> None:
        """Say one thing that the reader should know."""
        ...

    def close(self) -> None:
        """Finish the current step. May be called twice."""
        ...


class SilentReport:
    """Says nothing: the default of the library."""

    def step(self, name: str, total: int | None = None) -> None:
        """Ignore it."""

    def advance(self, count: int = 1) -> None:
        """Ignore it."""

    def note(self, line: str) -> None:
        """Ignore it."""

    def close(self) -> None:
        """Nothing to finish."""

    def abandon(self) -> None:
        """Nothing to leave."""


class LineReport:
    """One plain line when a step ends, and one every few seconds while it runs.

    Args:
        stream: where lines go, usually standard error.
        interval_s: seconds between two lines of a running step.
        clock: monotonic seconds; tests give their own.
    """

    def __init__(
        self,
        stream: TextIO,
        interval_s: float = LINE_INTERVAL_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self._interval_s = interval_s
        self._clock = clock
        self._name: str | None = None
        self._total: int | None = None
        self._done = 0
        self._started = self._spoke = 0.0

    def step(self, name: str, total: int | None = None) -> None:
        """Begin a step."""
        self.close()
        self._name, self._total, self._done = name, total, 0
        self._started = self._spoke = self._clock()

    def advance(self, count: int = 1) -> None:
        """Count, and say so if the last line is old enough."""
        if self._name is None:
            return
        self._done += count
        now = self._clock()
        if now - self._spoke >= self._interval_s:
            self._spoke = now
            of = f" of {self._total:,}" if self._total else ""
            percent = f" ({100 * self._done // self._total} %)" if self._total else ""
            self.note(f"{self._name}: {self._done:,}{of}{percent}")

    def note(self, line: str) -> None:
        """Write one line."""
        self._stream.write(line + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Write the line that ends the step."""
        if self._name is None:
            return
        name, self._name = self._name, None
        # A step that counts nothing is just done.
        count = f"{self._done:,} " if self._done or self._total else ""
        self.note(f"{name}: {count}done in {self._clock() - self._started:.1f} s")

    def abandon(self) -> None:
        """Nothing more comes, and the step is not done."""
        self._name = None


class BarReport:
    """A progress bar per step, for a terminal.

    Args:
        console: the terminal to draw on.
    """

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._task: TaskID | None = None
        self._live = False

    def step(self, name: str, total: int | None = None) -> None:
        """Begin a step with its own bar."""
        self._finish()
        if not self._live:
            self._progress.start()
            self._live = True
        # Names may hold brackets (channel names, paths), which Rich would read as markup.
        self._task = self._progress.add_task(name.replace("[", "\\["), total=total)

    def advance(self, count: int = 1) -> None:
        """Move the bar."""
        if self._task is not None:
            self._progress.advance(self._task, count)

    def note(self, line: str) -> None:
        """Write a line above the bars."""
        self._progress.console.print(line, markup=False, highlight=False)

    def close(self) -> None:
        """Finish the bar and give the terminal back."""
        self._finish()
        if self._live:
            self._progress.stop()
            self._live = False

    def abandon(self) -> None:
        """Leave the bar where it is and give the terminal back."""
        self._task = None
        self.close()

    def _finish(self) -> None:
        if self._task is None:
            return
        # A total is a hint: a step that is over reads as complete.
        done = self._progress.tasks[self._progress.task_ids.index(self._task)].completed
        self._progress.update(self._task, total=done, completed=done)
        self._task = None


@contextmanager
def open_report(stream: TextIO, *, quiet: bool = False) -> Iterator[Report]:
    """A report fit for `stream`: bars if it is a terminal, lines if not, nothing if `quiet`.

    Example:
        with open_report(sys.stderr) as report:
            await ingest(source, "acme", report=report)
    """
    report: SilentReport | BarReport | LineReport
    if quiet:
        report = SilentReport()
    else:
        console = Console(file=stream)
        # `is_terminal` honours NO_COLOR-like settings and dumb terminals, `isatty` does not.
        usable = console.is_terminal and not console.is_dumb_terminal
        report = BarReport(console) if usable else LineReport(stream)
    try:
        yield report
    except BaseException:
        report.abandon()
        raise
    report.close()
