"""A tree as a person reads it on a terminal."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree as Branches

from ...graph.records import PUBLIC_AUDIENCE

if TYPE_CHECKING:
    from rich.console import Console

    from ...graph.inspection import StoredNode, StoredTree


def render_tree(
    console: Console, tree: StoredTree, root: StoredNode | None, depth: int | None
) -> None:
    """Print the card of `tree`, then `root` with `depth` levels below it (None: all)."""
    console.print(Text(f"{tree.name}", style="bold"), Text(f"({tree.view})", style="dim"))
    seen_by = "everybody" if tree.audience == PUBLIC_AUDIENCE else f"members of {tree.audience}"
    console.print(
        Text(f"{tree.size} messages, {span(tree.span_from, tree.span_to)}, seen by {seen_by}")
    )
    if tree.aliases:
        console.print(Text(f"also called: {', '.join(tree.aliases)}"))
    for field, lines in tree.card.items():
        console.print(Text(f"{field}: ", style="cyan") + Text("; ".join(lines)))
    if root is not None:
        branches = Branches(_label(root), guide_style="dim")
        _grow(branches, root, depth)
        console.print(branches)


def span(first: datetime | None, last: datetime | None) -> str:
    """`2026-03-01 to 2026-03-04`, or one day if both fall on it."""
    if first is None or last is None:
        return "no messages"
    days = [f"{moment:%Y-%m-%d}" for moment in (first, last)]
    return days[0] if days[0] == days[1] else " to ".join(days)


def _grow(branches: Branches, node: StoredNode, depth: int | None) -> None:
    if depth == 0:
        return
    for child in node.children:
        _grow(branches.add(_label(child)), child, None if depth is None else depth - 1)


def _label(node: StoredNode) -> Text:
    kind = "episode" if node.level == 1 else f"level {node.level}"
    return Text.assemble(
        (f"{span(node.span_from, node.span_to)}  ", "dim"),
        (node.caption or kind, "bold"),
        (f"  {kind}, {node.size} messages", "dim"),
        *([f"\n{node.summary}"] if node.summary else []),
    )
