"""`egcforest inspect`: one subject's trees with their cards and summaries."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...graph.records import View
from .context import find_engine, load, output, run
from .options import AskerOption, WorkspaceOption

if TYPE_CHECKING:
    from ...graph.inspection import StoredNode, StoredTree
    from ..settings import Settings


def inspect(
    view: Annotated[View, typer.Argument(metavar="channel|actor|artifact", help="Which forest.")],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name, alias, identifier or id of the subject.")
    ],
    asker: AskerOption = None,
    workspace: WorkspaceOption = None,
    depth: Annotated[
        int | None, typer.Option(min=0, help="Levels to show below the root; all by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Print the tree of a channel, a person or an artifact: its card and all summaries.

    A subject has one tree for each audience; you see those that --as may see.

    \b
      egcforest inspect channel incidents
      egcforest inspect actor "Leila Haddad" --as leila
      egcforest inspect artifact "PR #519" --depth 1
    """
    settings = load(workspace=workspace).values
    found = run(_find(settings, view, name, asker))
    if as_json:
        typer.echo(json.dumps([_plain(tree, root, depth) for tree, root in found], indent=2))
        return
    from .render_tree import render_tree

    console = output()
    for number, (tree, root) in enumerate(found):
        if number:
            console.print()
        render_tree(console, tree, root, depth)


async def _find(
    settings: Settings, view: View, name: str, asker: str | None
) -> list[tuple[StoredTree, StoredNode | None]]:
    from ...graph.inspection import InspectionStore
    from ..names import find_trees
    from ..service import open_graph

    async with open_graph(find_engine(settings)) as graph:
        scope = await graph.scope(settings.workspace, asker)
        trees = await find_trees(graph.store, scope, view, name)
        inspection = InspectionStore(graph.store)
        return [(tree, await inspection.root(scope, tree)) for tree in trees]


def _plain(tree: StoredTree, root: StoredNode | None, depth: int | None) -> dict[str, Any]:
    return {
        "view": str(tree.view),
        "name": tree.name,
        "audience": tree.audience,
        "aliases": list(tree.aliases),
        "messages": tree.size,
        "from": tree.span_from.isoformat() if tree.span_from else None,
        "to": tree.span_to.isoformat() if tree.span_to else None,
        "card": {field: list(lines) for field, lines in tree.card.items()},
        "root": _plain_node(root, depth) if root else None,
    }


def _plain_node(node: StoredNode, depth: int | None) -> dict[str, Any]:
    below = None if depth is None else depth - 1
    return {
        "key": node.key,
        "level": node.level,
        "messages": node.size,
        "from": node.span_from.isoformat(),
        "to": node.span_to.isoformat(),
        "caption": node.caption,
        "summary": node.summary,
        "children": [] if depth == 0 else [_plain_node(child, below) for child in node.children],
    }
