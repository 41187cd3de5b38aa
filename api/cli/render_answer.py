"""An answer as a person reads it on a terminal, or as plain lines when it is piped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from ...retrieval.answer import NOTHING_FOUND, grouped

if TYPE_CHECKING:
    from rich.console import Console

    from ...retrieval.answer import Answer, EvidenceItem, Heading

_INDENT = 4


def render_answer(console: Console, answer: Answer) -> None:
    """Print headings, below each its messages in order of time, with citations."""
    if not answer.items:
        console.print(NOTHING_FOUND)
        return
    for number, (heading, items) in enumerate(grouped(answer.items, answer.headings)):
        if number:
            console.print()
        if heading is not None:
            _print_heading(console, heading)
        for item in items:
            _print_item(console, item)
    console.print()
    console.print(
        f"{len(answer.items)} messages, {answer.tokens:,} tokens, {answer.trace.total_ms:.0f} ms",
        style="dim",
    )


def _print_heading(console: Console, heading: Heading) -> None:
    first, *lines = heading.render().splitlines()
    console.print(Text(first, style="bold cyan"))
    for line in lines:
        console.print(Text(line, style="italic dim"))


def _print_item(console: Console, item: EvidenceItem) -> None:
    console.print(
        Text.assemble(
            (f"[{item.number}]", "bold green"),
            f" {item.at:%Y-%m-%d %H:%M}  ",
            (f"#{item.channel_name or item.channel}", "cyan"),
            "  ",
            (item.author_name or item.author, "bold"),
            f" ({item.author_title})" if item.author_title else "",
            ("  (little speaks for it)" if item.weak else "", "dim"),
        )
    )
    quoted = [Text(item.text)]
    quoted += [Text(f"file: {line}", style="dim") for line in item.files]
    if item.link:
        quoted.append(Text(item.link, style="dim underline"))
    for text in quoted:
        # What is piped stays on its lines; a terminal wraps within the indent.
        if console.soft_wrap:
            for line in text.plain.splitlines() or [""]:
                console.print(Text(" " * _INDENT + line))
        else:
            console.print(Padding(text, (0, 0, 0, _INDENT)))
