"""The query for messages by words and meaning."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated

import strawberry

from ...graph.read_records import SearchFilter
from ...graph.records import PUBLIC_AUDIENCE, Scope, View
from ...retrieval.message_search import DEPTH, MessageSearch
from .context import Info
from .cursors import not_a_cursor, pack, payload
from .inputs import DEFAULT_PAGE, keys, page_size, time_range, words
from .types.describing import arg, cost, described
from .types.enums import AudienceKind, ViewName
from .types.message import Message
from .types.pages import After, First, PageInfo

_ORDER = "search"
_MARK = 6
"""Characters by which a cursor remembers a message that was handed out: 24 bits of its digest."""


@strawberry.input(description="Which messages. What is left out restricts nothing.")
class MessageFilter:
    """Which messages."""

    channels: list[strawberry.ID] | None = described(
        "Only in these channels, by key; at most 100.", default=None
    )
    authors: list[strawberry.ID] | None = described(
        "Only by these people, by key; at most 100.", default=None
    )
    since: datetime | None = described("Only from then on, included.", default=None)
    until: datetime | None = described("Only before then.", default=None)
    audience: AudienceKind | None = described(
        "Only what was said in public, or only what was not.", default=None
    )


@strawberry.type(description="A message that a search found.")
class SearchEdge:
    """A message that a search found."""

    node: Message = described("The message, verbatim.")
    cursor: str = described("Its place in the list, for `after`.")
    score: float = described(
        "How well it fits, from 0 to 1. It compares messages of one search, not searches."
    )


@strawberry.type(
    description="One page of what a search found, the best first. No page repeats a message of "
    "the pages before it, whatever arrives meanwhile."
)
class SearchConnection:
    """One page of what a search found."""

    edges: list[SearchEdge] = described("The messages with their scores.")
    page_info: PageInfo = described("Where the page lies in its list.")

    @strawberry.field(description="The messages without their scores.")
    def nodes(self) -> list[Message]:
        """The messages without their scores."""
        return [edge.node for edge in self.edges]


@strawberry.type
class SearchQuery:
    """The root field for messages by words and meaning."""

    @strawberry.field(
        description="Messages by their words and by what they mean. `text` is anything that a "
        "person types: no word and no sign in it is syntax. A search looks at the 200 messages "
        "that fit best; narrow it down with `filter` for others.",
        directives=cost(50),
    )
    async def search(
        self,
        info: Info,
        text: Annotated[str, arg("What to look for, up to 4,000 characters.")],
        view: Annotated[
            ViewName | None,
            arg("Only messages that stand in this forest, such as those about an artifact."),
        ] = None,
        filter: Annotated[MessageFilter | None, arg("Which messages.")] = None,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> SearchConnection:
        """Messages by their words and by what they mean."""
        loaders, size = info.context.loaders, page_size(first)
        seen, text = _seen(after), words(text, "text")
        given = filter or MessageFilter()
        wanted = SearchFilter(
            None if view is None else View(view.value),
            keys(given.channels, "channels"),
            keys(given.authors, "authors"),
            time_range(given.since, given.until),
        )
        scope = _narrowed(loaders.scope, given.audience)
        if scope is None:
            return _connection([], seen, more=False)
        service = info.context.service
        ranked = await MessageSearch(service.store, service.encoder).rank(text, scope, wanted)
        known = set(seen)
        fresh = [(key, score) for key, score in ranked if _mark(key) not in known]
        # A message may vanish between the search and its reading.
        page = fresh[:size]
        found = await loaders.message.load_many([key for key, _ in page])
        rows = [
            (Message.of(message), score)
            for (_, score), message in zip(page, found, strict=True)
            if message is not None
        ]
        more = len(fresh) > size and len(seen) + size < DEPTH
        return _connection(rows, seen, more=more)


def _narrowed(scope: Scope, audience: AudienceKind | None) -> Scope | None:
    """The scope without the audiences that are not wanted; None if none is left."""
    if audience is None:
        return scope
    public = audience is AudienceKind.PUBLIC
    left = tuple(name for name in scope.audiences if (name == PUBLIC_AUDIENCE) == public)
    return replace(scope, audiences=left) if left else None


def _connection(
    rows: Sequence[tuple[Message, float]], seen: Sequence[str], *, more: bool
) -> SearchConnection:
    marks, edges = list(seen), []
    for message, score in rows:
        marks.append(_mark(str(message.id)))
        edges.append(SearchEdge(node=message, cursor=pack([_ORDER, "".join(marks)]), score=score))
    info = PageInfo(
        has_next_page=more and bool(edges),
        has_previous_page=bool(seen),
        start_cursor=edges[0].cursor if edges else None,
        end_cursor=edges[-1].cursor if edges else None,
    )
    return SearchConnection(edges=edges, page_info=info)


def _mark(key: str) -> str:
    return hashlib.blake2b(key.encode(), digest_size=_MARK // 2).hexdigest()


def _seen(after: str | None) -> list[str]:
    """Marks of the messages up to the cursor: scores move while messages arrive, they do not.

    Raises:
        ApiError: `after` is no cursor of a search.
    """
    if after is None:
        return []
    match payload(after):
        case [str(order), str(marks)] if order == _ORDER and marks and len(marks) % _MARK == 0:
            if len(marks) <= _MARK * DEPTH:
                return [marks[at : at + _MARK] for at in range(0, len(marks), _MARK)]
    raise not_a_cursor()
