"""What all commands share: the global flags, the settings, the two consoles, the event loop."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from ..engine import Engine
    from ..settings import LoadedSettings, Settings

T = TypeVar("T")

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INCOMPLETE = 3
EXIT_INTERRUPTED = 130


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

    return Console(highlight=False, markup=False, soft_wrap=not sys.stdout.isatty())


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


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` to its end on an event loop of its own."""
    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        notices().print("Interrupted.")
        raise typer.Exit(EXIT_INTERRUPTED) from None
