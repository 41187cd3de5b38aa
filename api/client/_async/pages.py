"""Lists of the service, read page by page as they are gone through."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Generic, TypeVar

from ..operations import Listing, Page
from .connection import AsyncConnection

T = TypeVar("T")

LARGEST_PAGE = 100


class AsyncPages(Generic[T]):
    """A list that is asked for when it is gone through, one page after another.

    Each time it is gone through, it is read from its beginning. What arrives meanwhile makes no
    row come twice, and none be left out; but in lists by size or last activity a row that grows
    meanwhile moves towards the start, and is not met by who has passed its new place.
    """

    def __init__(self, connection: AsyncConnection, listing: Listing[T], page_size: int) -> None:
        self._connection = connection
        self._listing = listing
        self._page_size = page_size

    async def __aiter__(self) -> AsyncIterator[T]:
        """The rows.

        Raises:
            ForestClientError: a page cannot be had.
        """
        async with aclosing(self.pages()) as pages:
            async for page in pages:
                for item in page.items:
                    yield item

    async def pages(self) -> AsyncGenerator[Page[T], None]:
        """The pages; none is asked for before it is wanted.

        Raises:
            ForestClientError: a page cannot be had.
        """
        after: str | None = None
        while True:
            page = await self._connection.run(self._listing.page(self._page_size, after))
            yield page
            after = page.end_cursor
            if after is None:
                return

    async def take(self, count: int) -> list[T]:
        """The first `count` rows, or fewer if there are not so many.

        Raises:
            ForestClientError: a page cannot be had.
        """
        taken: list[T] = []
        if count < 1:
            return taken
        size = min(count, LARGEST_PAGE)
        async with aclosing(AsyncPages(self._connection, self._listing, size).pages()) as pages:
            async for page in pages:
                taken += page.items[: count - len(taken)]
                if len(taken) >= count:
                    break
        return taken

    async def all(self) -> list[T]:
        """All rows.

        Raises:
            ForestClientError: a page cannot be had.
        """
        return [item async for item in self]
