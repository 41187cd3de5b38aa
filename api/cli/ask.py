"""`egcforest ask`: evidence for a question, as one asker may see it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from ...graph.records import View
from ..errors import ApiError
from .context import find_engine, load, output, run
from .options import AskerOption, WorkspaceOption

if TYPE_CHECKING:
    from ...retrieval.answer import Answer
    from ..engine import Engine
    from ..settings import Settings


@dataclass(frozen=True, slots=True)
class Limits:
    """What narrows a question down; times in UTC, `until` not included."""

    view: View | None
    since: datetime | None
    until: datetime | None


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In any language.")],
    asker: AskerOption = None,
    workspace: WorkspaceOption = None,
    items: Annotated[
        int | None, typer.Option("--items", metavar="N", help="Messages, at most; 20 unless set.")
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", metavar="N", help="Tokens, at most; 6000 unless set.")
    ] = None,
    view: Annotated[
        View | None, typer.Option("--view", help="Use the structure of this forest alone.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Only from then on: 2026-03-01, or 2026-03-01T09:30Z."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Only before then; a day is included to its end."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how each message was found.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Answer a question with messages, verbatim and cited, under summaries as headings.

    The number in brackets is the rank of a message; below a heading they stand in order of
    time. Nothing is shown that --as may not see. Times are UTC unless they say otherwise.

    \b
      egcforest ask "Why was the launch moved?" --as ana
      egcforest ask "What did I promise for OPS-214?" --as "Sam Okoro" --since 2026-04-01
      egcforest ask "Who decided on the queue?" --items 5 --json
    """
    if not question.strip():
        raise ApiError("The question is empty.", 'Ask one: egcforest ask "Who owns OPS-214?"')
    limits = Limits(view, _moment("--since", since), _moment("--until", until, day_ends=True))
    if limits.since and limits.until and limits.since >= limits.until:
        raise ApiError(
            f"--since {since!r} is not before --until {until!r}: nothing lies between them.",
            "Exchange them, or leave one out.",
        )
    settings = load(workspace=workspace, items=items, tokens=tokens).values
    answer = run(_ask(find_engine(settings), settings, question, asker, limits))
    if as_json:
        typer.echo(json.dumps(answer.as_dict(trace=explain), indent=2, ensure_ascii=False))
        return
    from .render_answer import render_answer

    console = output()
    render_answer(console, answer)
    if explain:
        console.print()
        for line in answer.trace.lines():
            console.print(line, style="dim")


async def _ask(
    engine: Engine, settings: Settings, question: str, asker: str | None, limits: Limits
) -> Answer:
    from ..service import open_service

    async with open_service(engine, settings) as service:
        scope = await service.scope(settings.workspace, asker)
        return await service.retriever().ask(
            question,
            scope,
            items=settings.items,
            tokens=settings.tokens,
            view=limits.view,
            since=limits.since,
            until=limits.until,
        )


def _moment(flag: str, text: str | None, *, day_ends: bool = False) -> datetime | None:
    """The time that `text` writes; for a day its beginning, or its end with `day_ends`."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ApiError(
            f"{flag} {text!r} is no time.", "Write 2026-03-01, or 2026-03-01T09:30+01:00."
        ) from None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    try:
        if day_ends and len(text.strip()) <= len("2026-03-01"):
            at += timedelta(days=1)
        return at.astimezone(UTC)
    except OverflowError:
        raise ApiError(
            f"{flag} {text!r} is beyond the times there are.", "Leave it out: all is searched then."
        ) from None
