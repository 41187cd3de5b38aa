"""`egcforest neo4j`: the private Neo4j from the command line."""

from __future__ import annotations

import json
import sys
import webbrowser
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...graph.errors import PrivateNeo4jError
from ...graph.private import PrivateNeo4j, PrivateNeo4jOptions, ServerInfo
from ..private_options import private_options
from .context import load, notices
from .fetch_progress import FetchProgress

app = typer.Typer(
    name="neo4j",
    help="The private Neo4j: a real Neo4j Community for this user alone, on loopback.",
    no_args_is_help=True,
)


def private_neo4j() -> PrivateNeo4j:
    """This user's private Neo4j; what it tells goes to standard error."""
    console = notices()
    return PrivateNeo4j(_options(), report=console.print, progress=FetchProgress(console))


def _options() -> PrivateNeo4jOptions:
    return private_options(load().values)


@app.command()
def start() -> None:
    """Start it, unless it runs; the first time, fetch it."""
    info = private_neo4j().start()
    if not info.started_now:
        _print_line(f"It already runs (process {info.pid}). Stop: egcforest neo4j stop")
    _print_line(f"Bolt:     {info.bolt_uri}")
    _print_line(f"Browser:  {info.browser_url}")
    _print_line(f"User:     {info.user}")
    _print_line("Password: egcforest neo4j password")


@app.command()
def stop() -> None:
    """Stop it and wait until it has ended."""
    stopped = private_neo4j().stop()
    _print_line("Stopped." if stopped else "It was not running.")


@app.command()
def status(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Hash every fetched jar; fetch damaged ones again.")
    ] = False,
) -> None:
    """Tell whether it runs, where, and how large its store is. Exit code 3 if it does not run."""
    neo4j = private_neo4j()
    repaired = neo4j.repair_cache() if verify else None
    info = neo4j.status()
    facts = _facts(neo4j, info)
    if repaired is not None:
        facts["fetched_again"] = repaired
    if as_json:
        _print_line(json.dumps(facts))
    else:
        table = Table(show_header=False, box=None, pad_edge=False)
        table.add_column()
        table.add_column(overflow="fold")
        for name, value in facts.items():
            shown = ", ".join(value) or "nothing" if isinstance(value, list) else str(value)
            table.add_row(Text(name.replace("_", " ")), Text(shown))
        Console(soft_wrap=True).print(table)
    if info is None:
        raise typer.Exit(3)


@app.command()
def browser(
    query: Annotated[str | None, typer.Argument(help="A Cypher query to have ready.")] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open it as well.")] = False,
) -> None:
    """Print the address of Neo4j Browser, connection filled in."""
    address = private_neo4j().browser_url(query)
    _print_line(address)
    if open_it and not webbrowser.open(address):
        raise PrivateNeo4jError(
            "No web browser could be opened here.", "Open the address above in one."
        )


@app.command()
def password() -> None:
    """Print the password of the user neo4j, and nothing else."""
    _print_line(private_neo4j().password())


@app.command()
def logs(
    lines: Annotated[int, typer.Option("-n", "--lines", min=1, help="How many.")] = 50,
) -> None:
    """Print the last lines that the server logged."""
    sys.stdout.write(private_neo4j().log_tail(lines))


@app.command()
def artifacts() -> None:
    """List the jars an offline folder must hold: path, SHA-256 and bytes."""
    from ...graph.private.artifacts import artifacts_for, this_system

    for artifact in artifacts_for(this_system()):
        _print_line(f"{artifact.maven_path} {artifact.sha256} {artifact.size}")


def _facts(neo4j: PrivateNeo4j, info: ServerInfo | None) -> dict[str, object]:
    """What `status` shows; the password is not among it."""
    options = _options()
    facts: dict[str, object] = {"running": info is not None}
    if info is not None:
        facts |= {
            "bolt_uri": info.bolt_uri,
            "http_url": info.http_url,
            "browser_url": info.browser_url,
            "user": info.user,
            "pid": info.pid,
            "version": info.version,
        }
    return facts | {
        "data_dir": str(info.data_dir if info else options.data_dir),
        "cache_dir": str(options.cache_dir),
        "store_size_bytes": neo4j.store_size_bytes(),
    }


def _print_line(line: str) -> None:
    """Unwrapped and undecorated: addresses and passwords are copied, JSON is parsed."""
    sys.stdout.write(line + "\n")
