"""`egcforest status`: the engine, the settings, and what there is of each workspace."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import NotFoundError
from .context import find_engine, load, output, print_table, run

if TYPE_CHECKING:
    from rich.console import Console

    from ..engine import Engine
    from ..settings import LoadedSettings

_STEPS = {
    "pending_channels": "channels",
    "pending_actors": "people",
    "pending_artifacts": "artifacts",
    "pending_vectors": "vectors",
}


@dataclass(frozen=True, slots=True)
class ChannelStatus:
    """What there is of one channel."""

    name: str
    kind: str
    first: datetime | None
    last: datetime | None
    messages: int
    entries: dict[str, int]


@dataclass(frozen=True, slots=True)
class WorkspaceStatus:
    """What there is of one workspace; `counts` as the graph tells them."""

    name: str
    counts: dict[str, int]
    channels: list[ChannelStatus] = field(default_factory=list)


def status(
    workspace: Annotated[
        str | None,
        typer.Option("--workspace", "-w", metavar="NAME", help="Only this one; all by default."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show the engine, the settings with their origins, and each channel's coverage.

    This is the operator's view: it names private channels too, and shows no message.
    """
    loaded = load()
    engine: Engine | None = None
    found: list[WorkspaceStatus] = []
    try:
        engine = find_engine(loaded.values)
    except NotFoundError as nothing_yet:
        if workspace:
            raise
        hint = str(nothing_yet)
    else:
        found = run(_workspaces(engine, workspace))
        hint = "Nothing has been ingested yet: egcforest ingest PATH --workspace NAME."
    if as_json:
        typer.echo(json.dumps(_plain(loaded, engine, found), indent=2, default=str))
        return
    console = output()
    console.print(f"Engine: {engine.title if engine else 'private Neo4j, never started'}")
    if engine and engine.private:
        console.print(f"  Browser: {engine.browser_url}")
        console.print(f"  Data:    {engine.data_dir}")
        console.print("  Stop it: egcforest neo4j stop")
    _print_settings(console, loaded)
    if not found:
        console.print(hint)
    for one in found:
        _print_workspace(console, one)


async def _workspaces(engine: Engine, wanted: str | None) -> list[WorkspaceStatus]:
    from ..service import open_graph

    async with open_graph(engine) as graph:
        names = [await graph.workspace(wanted)] if wanted else await graph.log.workspaces()
        return [
            WorkspaceStatus(
                name,
                await graph.log.counts(name),
                [
                    ChannelStatus(
                        one.channel.name,
                        str(one.channel.kind),
                        one.first,
                        one.last,
                        one.messages,
                        one.entries,
                    )
                    for one in await graph.log.coverage(name)
                ],
            )
            for name in names
        ]


def _print_settings(console: Console, loaded: LoadedSettings) -> None:
    console.print(f"Settings file: {loaded.file or 'none'}")
    rows = [(name, loaded.shown(name), loaded.origin(name)) for name in loaded.origins]
    print_table(console, ("Setting", "Value", "From"), rows)
    for name in loaded.stray:
        console.print(f"Note: {name} in the environment is no setting; it has no effect.")


def _print_workspace(console: Console, found: WorkspaceStatus) -> None:
    counts = found.counts
    console.print()
    console.print(
        f"Workspace {found.name}: {counts['messages']:,} messages in {counts['channels']:,} "
        f"channels by {counts['actors']:,} people and bots, {counts['artifacts']:,} artifacts; "
        f"{counts['trees']:,} trees with {counts['nodes']:,} nodes."
    )
    pending = {what: counts[step] for step, what in _STEPS.items() if counts.get(step)}
    if pending:
        listed = ", ".join(f"{number:,} {what}" for what, number in pending.items())
        console.print(f"Still to build: {listed}. The next ingest goes on from there.")
    rows = [
        (
            channel.name,
            channel.kind.replace("_", " "),
            _minute(channel.first),
            _minute(channel.last),
            f"{channel.messages:,}",
            ", ".join(
                f"{number:,} {kind}"
                for kind, number in sorted(channel.entries.items())
                if kind != "message" and number
            ),
        )
        for channel in found.channels
    ]
    titles = ("Channel", "Kind", "First entry", "Last entry", "Messages", "Other entries")
    print_table(console, titles, rows, right=(4,))


def _minute(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else "-"


def _plain(
    loaded: LoadedSettings, engine: Engine | None, found: list[WorkspaceStatus]
) -> dict[str, Any]:
    return {
        "engine": {
            "address": engine.connection.address if engine else None,
            "private": engine.private if engine else True,
            "version": (engine.version or None) if engine else None,
            "browser": (engine.browser_url or None) if engine else None,
        },
        "settings": {
            name: {"value": loaded.shown(name), "from": loaded.origin(name)}
            for name in loaded.origins
        },
        "settings_file": str(loaded.file) if loaded.file else None,
        "workspaces": [asdict(workspace) for workspace in found],
    }
