"""A stream goes on for as long as its token is good, through eyes that are opened anew."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from graphql import GraphQLSchema

from .context import RequestContext

RECHECK_S = 15.0
"""Seconds after which the token is checked again although nothing has happened."""

_END = object()


def renew_at_each_event(schema: GraphQLSchema) -> None:
    """Have every subscription of `schema` check token and membership before each event."""
    root = schema.subscription_type
    for field in root.fields.values() if root else ():
        if field.subscribe is not None:
            field.subscribe = _renewing(field.subscribe)


def _renewing(subscribe: Callable[..., Any]) -> Callable[..., Any]:
    async def subscribed(root: Any, info: Any, **arguments: Any) -> AsyncIterator[Any]:
        source = subscribe(root, info, **arguments)
        if inspect.isawaitable(source):
            source = await source
        return renewed(source, info.context)

    return subscribed


async def renewed(
    source: AsyncGenerator[Any, None], context: RequestContext, recheck_s: float = RECHECK_S
) -> AsyncGenerator[Any, None]:
    """The events of `source`, each after `context` was renewed.

    Raises:
        UnauthenticatedError: the token was revoked or has expired.
        ForbiddenError: it may not ask on behalf of that actor any more.
    """
    upcoming: asyncio.Task[Any] | None = None
    try:
        while True:
            upcoming = upcoming or asyncio.create_task(_next(source))
            done, _ = await asyncio.wait({upcoming}, timeout=recheck_s)
            await context.renew()
            if not done:
                continue
            event = upcoming.result()
            if event is _END:
                return
            upcoming = None
            yield event
    finally:
        if upcoming is not None and not upcoming.done():
            upcoming.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await upcoming
        await source.aclose()


async def _next(source: AsyncIterator[Any]) -> Any:
    # A task cannot end with StopAsyncIteration and be waited for like any other.
    return await anext(source, _END)
