"""The queries that answer questions: the evidence, and a text composed from it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from ...graph.records import View
from ...retrieval.answer import Answer as Found
from .context import Info
from .inputs import number, plausible_now, time_range, words
from .types.describing import arg, cost
from .types.enums import ViewName
from .types.evidence import Answer, Evidence
from .types.subject import Since, Until

MOST_ITEMS = 100
LEAST_TOKENS = 50
MOST_TOKENS = 50_000

Asked = Annotated[str, arg("The question, in any language, up to 4,000 characters.")]
Items = Annotated[
    int | None, arg("How many messages at most, from 1 to 100; the service's default if left out.")
]
Tokens = Annotated[
    int | None,
    arg(
        "How many tokens of context at most, from 50 to 50,000; the service's default if left out."
    ),
]
InView = Annotated[ViewName | None, arg("Only this forest takes part in structure.")]
Now = Annotated[
    datetime | None,
    arg("What `last week` is measured from; the latest visible message if left out."),
]


@strawberry.type
class EvidenceQuery:
    """The root fields that answer questions."""

    @strawberry.field(
        description="The evidence for a question: messages verbatim with citations, as the asker "
        "may see them. No language model runs.",
        directives=cost(200, 20, "items"),
    )
    async def evidence(
        self,
        info: Info,
        question: Asked,
        items: Items = None,
        tokens: Tokens = None,
        view: InView = None,
        since: Since = None,
        until: Until = None,
        now: Now = None,
    ) -> Evidence:
        """The evidence for a question."""
        return Evidence.of(await _find(info, question, items, tokens, view, since, until, now))

    @strawberry.field(
        description="An answer that a language model composes from the evidence. What it cites is "
        "checked against the evidence. NOT_CONFIGURED where the service has no model.",
        directives=cost(500, 20, "items"),
    )
    async def answer(
        self,
        info: Info,
        question: Asked,
        items: Items = None,
        tokens: Tokens = None,
        view: InView = None,
        since: Since = None,
        until: Until = None,
        now: Now = None,
    ) -> Answer:
        """An answer that a language model composes from the evidence."""
        composer = info.context.runtime.composer
        composer.require_configured()
        found = await _find(info, question, items, tokens, view, since, until, now)
        return Answer.of(await composer.compose(found), found)


async def _find(
    info: Info,
    question: str,
    items: int | None,
    tokens: int | None,
    view: ViewName | None,
    since: datetime | None,
    until: datetime | None,
    now: datetime | None,
) -> Found:
    settings = info.context.settings
    within = time_range(since, until)
    text = words(question, "question")
    most_items = (
        min(settings.items, MOST_ITEMS) if items is None else number(items, "items", 1, MOST_ITEMS)
    )
    most_tokens = (
        min(settings.tokens, MOST_TOKENS)
        if tokens is None
        else number(tokens, "tokens", LEAST_TOKENS, MOST_TOKENS)
    )
    moment = plausible_now(now)
    scope = info.context.scope
    found = await info.context.runtime.questions.answer(
        lambda retriever: retriever.ask(
            text,
            scope,
            items=most_items,
            tokens=most_tokens,
            view=None if view is None else View(view.value),
            since=within.since,
            until=within.until,
            now=moment,
        )
    )
    info.context.note_stages(found.trace)
    return found
