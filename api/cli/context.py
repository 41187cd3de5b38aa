"""What all commands share: the global flags, the settings, the two consoles, the event loop."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Coroutine, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ...text.errors import EGCForestError

if TYPE_CHECKING:
    from rich.console import Console

    from ..engine import Engine
    from ..settings import LoadedSettings, Settings

T = TypeVar("T")

_WIDE = 10_000  # what is piped is not wrapped

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INCOMPLETE = 3


class UserInterruptError(EGCForestError):
    """The user has ended the command."""

    def __init__(self, advice: str = "") -> None:
        super().__init__("Interrupted.", advice)


@dataclass(frozen=True, slots=True)
class GlobalFlags:
    """The flags that stand before the command."""

    settings_file: Path | None = None
    debug: bool = False
    values: dict[str, Any] = field(default_factory=dict)


_FLAGS: ContextVar[GlobalFlags] = ContextVar("global_flags")


def set_global_flags(flags: GlobalFlags) -> None:
    """Remember the flags for the command that follows."""
    _FLAGS.set(flags)


def wants_traceback() -> bool:
    """Whether --debug was given."""
    return _FLAGS.get(GlobalFlags()).debug


def load(**flags: Any) -> LoadedSettings:
    """The settings of this run, the command's own `flags` among them."""
    from ..settings import load_settings

    given = _FLAGS.get(GlobalFlags())
    return load_settings({**given.values, **flags}, given.settings_file)


def output() -> Console:
    """Standard output: results. Styled on a terminal, plain and unwrapped elsewhere."""
    from rich.console import Console

    piped = not sys.stdout.isatty()
    return Console(highlight=False, markup=False, soft_wrap=piped, width=_WIDE if piped else None)


def print_table(
    console: Console,
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[int] = (),
) -> None:
    """Print rows under titles; the columns with the numbers in `right` are aligned there."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if number in right else "left")
    for row in rows:
        table.add_row(*map(Text, row))
    with console.capture() as drawn:
        console.print(table)
    for line in drawn.get().splitlines():
        console.file.write(line.rstrip() + "\n")


def notices() -> Console:
    """Standard error: progress, what was started, what went wrong."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def find_engine(settings: Settings, *, must_hold_data: bool = True) -> Engine:
    """The Neo4j of this run; what has to be fetched or started is told on standard error."""
    from .. import engine
    from .fetch_progress import FetchProgress

    console = notices()
    return engine.find_engine(
        settings,
        report=console.print,
        progress=FetchProgress(console),
        must_hold_data=must_hold_data,
    )


def run(work: Coroutine[Any, Any, T], *, after_interrupt: str = "") -> T:
    """Run `work` to its end on an event loop of its own.

    Args:
        work: what to do.
        after_interrupt: what whoever interrupts it should know.
    """
    if not wants_traceback():
        # The driver warns of each transaction that it retries; a failure that stays is an error.
        logging.getLogger("neo4j").addHandler(logging.NullHandler())
        logging.getLogger("neo4j").propagate = False
    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        raise UserInterruptError(after_interrupt) from None
