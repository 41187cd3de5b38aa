"""The `egcforest` command: its global flags, its commands, and how errors end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from ... import __version__
from ...text.errors import EGCForestError
from . import ask, bench, ingest, inspect, neo4j, serve, status, token, wipe
from .context import (
    EXIT_FAILED,
    GlobalFlags,
    UserInterruptError,
    set_global_flags,
    wants_traceback,
)
from .entry import EXIT_INTERRUPTED

HELP = """A memory for group chat: answers with verbatim, cited evidence.

\b
Begin with an export of your chat:
  egcforest ingest EXPORT.zip --workspace acme
  egcforest ask "Why was the launch moved?" --as ana

\b
Settings come from flags, then the environment (EGCFOREST_...), then a settings
file (egcforest.toml); `egcforest status` shows each and where it came from.
With no address configured, a private Neo4j is started when it is needed.

\b
Exit codes:
  0    done
  1    failed; one sentence on standard error says why and what helps
  2    wrong usage
  3    ingest: done, but the receipt lists records that could not be used
       neo4j status: it does not run
  130  interrupted
"""

app = typer.Typer(
    name="egcforest",
    help=HELP,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"egcforest {__version__}")
        raise typer.Exit


@app.callback()
def global_flags(
    settings: Annotated[
        Path | None, typer.Option("--settings", metavar="FILE", help="Settings file to read.")
    ] = None,
    neo4j_uri: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Neo4j server, bolt:// or neo4j://.")
    ] = None,
    neo4j_user: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Its user. The password: EGCFOREST_NEO4J_PASSWORD."),
    ] = None,
    neo4j_database: Annotated[
        str | None, typer.Option(metavar="NAME", help="Its database.")
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Data of the private Neo4j.")
    ] = None,
    encoder: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which encoder makes the vectors.")
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback on errors.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_version),
    ] = False,
) -> None:
    """Take the flags that stand before the command."""
    values = {
        "neo4j_uri": neo4j_uri,
        "neo4j_user": neo4j_user,
        "neo4j_database": neo4j_database,
        "data_dir": data_dir,
        "encoder": encoder,
    }
    set_global_flags(GlobalFlags(settings, debug, values))


app.command()(ingest.ingest)
app.command()(ask.ask)
app.command()(bench.bench)
app.command()(inspect.inspect)
app.command()(serve.serve)
app.command()(status.status)
app.command()(wipe.wipe)
app.add_typer(neo4j.app)
app.add_typer(token.app)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # People write in every script, and not every terminal can show it.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with end_on_errors():
        app()


@contextmanager
def end_on_errors() -> Iterator[None]:
    """Errors end as one sentence and a non-zero exit code; with --debug as a traceback."""
    try:
        yield
    except UserInterruptError as error:
        _say(str(error))
        sys.exit(EXIT_INTERRUPTED)
    except EGCForestError as error:
        if wants_traceback():
            raise
        _say(f"Error: {error}")
        sys.exit(EXIT_FAILED)
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough. Nothing is left for Python to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_FAILED)
    except KeyboardInterrupt:
        _say("Interrupted.")
        sys.exit(EXIT_INTERRUPTED)
    except SystemExit as end:
        if end.code == EXIT_INTERRUPTED:  # Typer ends so, and says nothing
            _say("Interrupted.")
        raise
    except Exception as error:
        if wants_traceback():
            raise
        _say(
            f"Error: Something unforeseen happened inside egcforest: {type(error).__name__}: "
            f"{error}. Run it again as `egcforest --debug ...` and report what it shows."
        )
        sys.exit(EXIT_FAILED)


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
