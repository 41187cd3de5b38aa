"""What a token must be good for, field by field of the root types."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, TypeVar

from strawberry.extensions import FieldExtension
from strawberry.types import get_object_definition
from strawberry.types.field import StrawberryField

from ..access.principal import Principal, TokenScope
from .context import Info, RequestContext

T = TypeVar("T", bound=type)

RENEW_S = 1.0
"""Seconds after which a stream that has nothing to tell checks its token all the same. Streams of
one token share what is remembered of it, so that many cost the database no more than one."""


class Needs(FieldExtension):
    """Lets a root field be resolved only with a token that is good for one of `scopes`.

    Of a subscription it also checks the token and its scopes anew before each event, and every
    second while there is none: the stream ends with UNAUTHENTICATED or FORBIDDEN.

    Example:
        ```python
        @strawberry.mutation(extensions=[Needs(TokenScope.INGEST)])
        async def append_messages(self, info: Info) -> Job: ...
        ```
    """

    def __init__(self, *scopes: TokenScope) -> None:
        if not scopes:
            raise ValueError("A field has to need some scope.")
        self.scopes = scopes

    def apply(self, field: StrawberryField) -> None:
        """Say in the schema what is needed."""
        needed = " or ".join(f"`{scope}`" for scope in self.scopes)
        told = f"Needs the scope {needed}."
        # Strawberry applies extensions once for each schema that is built from the field.
        if not (field.description or "").endswith(told):
            field.description = f"{field.description or ''}\n\n{told}".strip()

    def check(self, principal: Principal) -> None:
        """Do nothing if `principal` has one of the scopes.

        Raises:
            ForbiddenError: it has none.
        """
        if not any(principal.may(scope) for scope in self.scopes):
            principal.require(self.scopes[0])

    def resolve(self, next_: Any, source: Any, info: Info, **kwargs: Any) -> Any:
        """Check, then resolve."""
        self.check(info.context.principal)
        found = next_(source, info, **kwargs)
        if inspect.isasyncgen(found):
            return self._renewing(found, info.context)
        return found

    async def resolve_async(self, next_: Any, source: Any, info: Info, **kwargs: Any) -> Any:
        """Check, then resolve."""
        self.check(info.context.principal)
        found = next_(source, info, **kwargs)
        if inspect.isasyncgen(found):
            return self._renewing(found, info.context)
        return await found if inspect.isawaitable(found) else found

    async def _renewing(
        self, events: AsyncGenerator[Any, Any], context: RequestContext
    ) -> AsyncGenerator[Any, None]:
        async with aclosing(events):
            while True:
                coming = asyncio.ensure_future(anext(events))
                try:
                    while not (await asyncio.wait({coming}, timeout=RENEW_S))[0]:
                        self.check(await context.check_token())
                finally:
                    if not coming.done():
                        # The generator can be closed only when it is not running.
                        coming.cancel()
                        await asyncio.wait({coming})
                try:
                    event = coming.result()
                except StopAsyncIteration:
                    return
                await context.renew()
                self.check(context.principal)
                yield event


def guarded(root: T, *, default: TokenScope | None = None) -> T:
    """`root` with every field behind a scope: the one it names, else `default`.

    Raises:
        TypeError: a field names none, and there is no default. Nothing is open by oversight.
    """
    definition = get_object_definition(root, strict=True)
    for field in definition.fields:
        if any(isinstance(extension, Needs) for extension in field.extensions):
            continue
        if default is None:
            raise TypeError(f"{definition.name}.{field.python_name} does not say what it needs.")
        # Before all others: what another extension does is done for those alone who may.
        field.extensions = [Needs(default), *field.extensions]
    return root
