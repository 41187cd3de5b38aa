# Made from ../_async by `make client`; change that instead.
"""Lists of the service, read page by page as they are gone through."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Generic, TypeVar

from ..operations import Listing, Page
from .connection import Connection

T = TypeVar("T")

LARGEST_PAGE = 100


class Pages(Generic[T]):
    """A list that is asked for when it is gone through, one page after another.

    Each time it is gone through, it is read from its beginning. What arrives meanwhile makes no
    row come twice, and none be left out; but in lists by size or last activity a row that grows
    meanwhile moves towards the start, and is not met by who has passed its new place.
    """

    def __init__(self, connection: Connection, listing: Listing[T], page_size: int) -> None:
        self._connection = connection
        self._listing = listing
        self._page_size = page_size

    def __iter__(self) -> Iterator[T]:
        """The rows.

        Raises:
            ForestClientError: a page cannot be had.
        """
        with closing(self.pages()) as pages:
            for page in pages:
                yield from page.items

    def pages(self) -> Generator[Page[T], None]:
        """The pages; none is asked for before it is wanted.

        Raises:
            ForestClientError: a page cannot be had.
        """
        after: str | None = None
        while True:
            page = self._connection.run(self._listing.page(self._page_size, after))
            yield page
            after = page.end_cursor
            if after is None:
                return

    def take(self, count: int) -> list[T]:
        """The first `count` rows, or fewer if there are not so many.

        Raises:
            ForestClientError: a page cannot be had.
        """
        taken: list[T] = []
        if count < 1:
            return taken
        size = min(count, LARGEST_PAGE)
        with closing(Pages(self._connection, self._listing, size).pages()) as pages:
            for page in pages:
                taken += page.items[: count - len(taken)]
                if len(taken) >= count:
                    break
        return taken

    def all(self) -> list[T]:
        """All rows.

        Raises:
            ForestClientError: a page cannot be had.
        """
        return list(self)
