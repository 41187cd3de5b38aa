"""`make demo`: the sample workspace, ingested, and five of its questions.

Everything happens through the parts that the command line is made of, on the Neo4j that the
settings name; by default the private one.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.rule import Rule

from egcforest.api.cli.context import find_engine, load, output, run
from egcforest.api.cli.main import end_on_errors
from egcforest.api.cli.render_answer import render_answer
from egcforest.api.service import open_service
from egcforest.builders.progress import open_report
from egcforest.builders.sources import open_source

if TYPE_CHECKING:
    from rich.console import Console

    from egcforest.api.engine import Engine
    from egcforest.api.service import Service
    from egcforest.api.settings import Settings

EXAMPLES = Path(__file__).resolve().parent
WORKSPACE = "sample"
ITEMS = 6
# Is it still true; what stood where in a certain week; which of two people called Sam; a document
# asked for in Japanese; a cause that took several channels and two months to find.
CHOSEN = ("q17", "q27", "q33", "q44", "q48")


def questions() -> list[dict[str, Any]]:
    """The five questions, in the order of `CHOSEN`."""
    lines = (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    by_id = {question["id"]: question for question in map(json.loads, lines)}
    return [by_id[chosen] for chosen in CHOSEN]


async def demo(console: Console, engine: Engine, settings: Settings) -> None:
    """Ingest, ask, and say what to try next."""
    source = open_source(EXAMPLES / "workspace")
    async with open_service(engine, settings) as service:
        with open_report(sys.stderr) as report:
            receipt, built = await service.ingest(source, WORKSPACE, report)
        total = receipt.total
        console.print(
            f"{total.read} records: {total.added} added, {total.unchanged} unchanged, "
            f"{total.superseded} superseded, {total.rejected} rejected."
        )
        console.print(str(built))
        for number, question in enumerate(questions(), start=1):
            await _ask(console, service, number, question)


async def _ask(console: Console, service: Service, number: int, question: dict[str, Any]) -> None:
    actor = await service.log.find_actor(WORKSPACE, question["asker"])
    scope = await service.log.scope(WORKSPACE, actor.key)
    console.print()
    _heading(console, f"Question {number}")
    console.print(f"{actor.real_name or actor.name}, {actor.title}, asks:", style="dim")
    console.print(question["question"], style="bold")
    console.print()
    render_answer(console, await service.retriever().ask(question["question"], scope, items=ITEMS))


def _heading(console: Console, text: str) -> None:
    # What is not a terminal has no width, and a line through it would never end.
    console.print(Rule(text, align="left"), width=min(console.width, 80))


def what_next(engine: Engine) -> str:
    """Commands that work now."""
    lines = [
        "What to try next, after `source .venv/bin/activate`:",
        '  egcforest ask "What did I promise the customers in May?" --as oliver --workspace sample',
        '  egcforest ask "Why was the project renamed?" --as fatima --workspace sample --explain',
        "      and the same --as dan, who may not know",
        "  egcforest inspect artifact INC-37 --workspace sample",
        "  egcforest ingest YOUR-SLACK-EXPORT.zip --workspace yours",
    ]
    if engine.private:
        lines += [
            "Look at the forests in Neo4j Browser (queries and style sheet: docs/browser.md):",
            f"  {engine.browser_url}",
            "  password: egcforest neo4j password",
            "This private Neo4j stays up until: egcforest neo4j stop",
        ]
    return "\n".join(lines)


def main() -> None:
    """Run the demo."""
    started = time.monotonic()
    console = output()
    settings = load().values
    engine = find_engine(settings, must_hold_data=False)
    run(demo(console, engine, settings))
    console.print()
    _heading(console, f"Done in {time.monotonic() - started:.0f} s")
    console.print(what_next(engine))


if __name__ == "__main__":
    with end_on_errors():
        main()
