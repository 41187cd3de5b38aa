"""`egcforest wipe`: forget a workspace."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ApiError
from .context import EXIT_FAILED, find_engine, load, notices, output, run

if TYPE_CHECKING:
    from ..engine import Engine


def wipe(
    workspace: Annotated[
        str, typer.Option("--workspace", "-w", metavar="NAME", help="The workspace to forget.")
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")] = False,
) -> None:
    """Delete a workspace: its messages, its people, its forests. Asks first."""
    engine = find_engine(load().values)
    entries = run(_entries(engine, workspace))
    if not yes:
        if not sys.stdin.isatty():
            raise ApiError(
                f"Deleting the workspace {workspace!r} has to be confirmed, and nobody is there "
                "to ask.",
                "Add --yes.",
            )
        question = f"Delete the workspace {workspace!r} with {entries:,} messages for good?"
        if not typer.confirm(question):
            notices().print("Nothing was deleted.")
            raise typer.Exit(EXIT_FAILED)
    deleted = run(_wipe(engine, workspace))
    output().print(f"Deleted the workspace {workspace!r}: {deleted:,} nodes.")


async def _entries(engine: Engine, workspace: str) -> int:
    from ..service import open_graph

    async with open_graph(engine) as graph:
        known = await graph.workspace(workspace)
        return sum(channel.messages for channel in await graph.log.coverage(known))


async def _wipe(engine: Engine, workspace: str) -> int:
    from ..service import open_graph

    async with open_graph(engine) as graph:
        return await graph.log.wipe(workspace)
