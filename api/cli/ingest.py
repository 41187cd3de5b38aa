"""`egcforest ingest`: an export into the log, and the forests over it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...graph.keys import check_workspace
from ..errors import SettingsError
from .context import EXIT_INCOMPLETE, find_engine, load, run

if TYPE_CHECKING:
    from ...builders.pipeline import BuildReport
    from ...builders.receipt import Receipt
    from ...builders.sources import Source
    from ..engine import Engine
    from ..settings import Settings


def ingest(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A Slack export (zip or folder) or a JSONL file.")
    ],
    workspace: Annotated[
        str | None,
        typer.Option(
            "--workspace",
            "-w",
            metavar="NAME",
            help="The workspace it belongs to; made if it is new.",
        ),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option("--format", metavar="slack|jsonl", help="The format; found out by default."),
    ] = None,
    permalink_base: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Slack: https://NAME.slack.com, for links."),
    ] = "",
    timezone: Annotated[
        str | None,
        typer.Option(metavar="ZONE", help="JSONL: zone of times without one, such as UTC."),
    ] = None,
    reencode: Annotated[
        bool, typer.Option("--reencode", help="Take another encoder; encode everything again.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="The receipt as one JSON object.")
    ] = False,
) -> None:
    """Ingest an export and grow its forests; print a receipt for every record.

    What is there already stays as it is, so an export can be ingested again, and a newer one
    on top of an older one. Interrupted at any point, the same command goes on.

    \b
      egcforest ingest "Acme Slack export.zip" --workspace acme
      egcforest ingest chat.jsonl --workspace acme --timezone Europe/Berlin
    """
    from ...builders.sources import open_source

    settings = load(workspace=workspace).values
    if not settings.workspace:
        raise SettingsError(
            "The workspace that the export belongs to has no name yet.", "Add --workspace NAME."
        )
    # What is wrong with the name or the export is said before anything is started.
    check_workspace(settings.workspace)
    source = open_source(path, format_, timezone=timezone, permalink_base=permalink_base)
    engine = find_engine(settings, must_hold_data=False)
    receipt, built = run(
        _ingest(settings, engine, source, reencode=reencode, quiet=quiet),
        after_interrupt="The same command goes on where it stopped.",
    )
    if as_json:
        typer.echo(json.dumps({"receipt": receipt.as_dict(), "build": asdict(built)}, indent=2))
    else:
        typer.echo(str(receipt))
        typer.echo(str(built))
    if receipt.rejections_total:
        raise typer.Exit(EXIT_INCOMPLETE)


async def _ingest(
    settings: Settings, engine: Engine, source: Source, *, reencode: bool, quiet: bool
) -> tuple[Receipt, BuildReport]:
    from ...builders.progress import open_report
    from ..service import open_service

    async with open_service(engine, settings, reencode=reencode) as service:
        with open_report(sys.stderr, quiet=quiet) as report:
            return await service.ingest(source, settings.workspace, report)
