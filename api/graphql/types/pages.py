"""Relay's connections: pages of lists with cursors that stay where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Generic, TypeVar

import strawberry

from ....graph.read_records import MessagePageSpec, Page, PageSpec, Rank
from ....graph.read_rows import from_micros
from ....graph.search_records import ALWAYS, TimeRange
from ..cursors import decode, encode, not_a_cursor
from ..inputs import DEFAULT_PAGE, page_size
from .describing import arg, described

T = TypeVar("T")
R = TypeVar("R")

First = Annotated[int, arg("How many rows at most, from 1 to 100.")]
After = Annotated[str | None, arg("The cursor of the row behind which the page begins.")]

__all__ = ["DEFAULT_PAGE", "After", "Connection", "Edge", "First", "PageInfo"]


@strawberry.type(description="Where a page lies in its list.")
class PageInfo:
    """Where a page lies in its list."""

    has_next_page: bool = described("Whether there are rows behind this page.")
    has_previous_page: bool = described(
        "Whether the page began behind a cursor. Lists are read forwards only."
    )
    start_cursor: str | None = described("Cursor of the first row; null on an empty page.")
    end_cursor: str | None = described(
        "Cursor of the last row, for `after` of the next page; null on an empty page."
    )


@strawberry.type(description="A row of a list, with its cursor.")
class Edge(Generic[T]):
    """A row of a list, with its cursor."""

    node: T = described("The row.")
    cursor: str = described("Its place in the list, for `after`.")


@strawberry.type(
    description="One page of a list. Rows that arrive while it is read make no page repeat a row "
    "or leave one out. In lists by size or last activity a row moves towards the start as it "
    "grows: who has passed its new place does not meet it."
)
class Connection(Generic[T]):
    """One page of a list."""

    edges: list[Edge[T]] = described("The rows with their cursors.")
    page_info: PageInfo = described("Where the page lies in its list.")
    total_count: int | None = described(
        "How many rows the list has in all, as far as the asker may see them; null for lists of "
        "which that is not known without reading them."
    )

    @strawberry.field(description="The rows without their cursors.")
    def nodes(self) -> list[T]:
        """The rows without their cursors."""
        return [edge.node for edge in self.edges]


def spec(order: str, first: int, after: str | None, *, by: type[Rank] = int) -> PageSpec:
    """The page that the arguments ask for, of the list and order that `order` names.

    Args:
        by: what the list is sorted by: a number, or a name.

    Raises:
        ApiError: `first` or `after` cannot be used.
    """
    place = decode(order, after)
    size = page_size(first)
    if place is None:
        return PageSpec(size)
    if not isinstance(place.rank, by):
        raise not_a_cursor()
    return PageSpec(size, place.rank, place.key)


def message_spec(
    order: str,
    first: int,
    after: str | None,
    *,
    newest: bool = False,
    within: TimeRange = ALWAYS,
) -> MessagePageSpec:
    """As `spec`, of a list that is sorted by time.

    Raises:
        ApiError: `first` or `after` cannot be used.
    """
    found = spec(order, first, after)
    if isinstance(found.rank, int):
        try:
            from_micros(abs(found.rank))
        except OverflowError:
            raise not_a_cursor() from None
    return MessagePageSpec(found.first, found.rank, found.key, newest, within)


def connection(order: str, of: PageSpec, page: Page[R], make: Callable[[R], T]) -> Connection[T]:
    """The page as clients get it."""
    edges = [
        Edge(node=make(ranked.row), cursor=encode(order, ranked.rank, ranked.key))
        for ranked in page.rows
    ]
    return Connection(
        edges=edges,
        page_info=page_info(edges, page.more, behind=of.key is not None),
        total_count=page.total,
    )


def page_info(edges: list[Edge[T]], more: bool, *, behind: bool) -> PageInfo:
    """Where the page of `edges` lies."""
    return PageInfo(
        has_next_page=more,
        has_previous_page=behind,
        start_cursor=edges[0].cursor if edges else None,
        end_cursor=edges[-1].cursor if edges else None,
    )
