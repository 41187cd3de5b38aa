"""The schema: what the rooms' root types offer, in one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cache
from typing import Any

import strawberry
from graphql import GraphQLError
from strawberry.extensions import SchemaExtension
from strawberry.schema.config import StrawberryConfig
from strawberry.tools import merge_types
from strawberry.types import ExecutionContext, ExecutionResult
from strawberry.types.execution import PreExecutionError

from ..access.principal import TokenScope
from .catalog import CatalogQuery
from .context import RequestContext
from .errors import presented
from .evidence import EvidenceQuery
from .job_mutations import JobMutation
from .job_queries import JobQuery
from .job_subscriptions import JobSubscription
from .job_types import SCALARS
from .permissions import guarded
from .search import SearchQuery
from .statistics import StatisticsQuery

Query = guarded(
    merge_types("Query", (CatalogQuery, SearchQuery, EvidenceQuery, StatisticsQuery, JobQuery)),
    default=TokenScope.READ,
)
Mutation = guarded(merge_types("Mutation", (JobMutation,)))
Subscription = guarded(merge_types("Subscription", (JobSubscription,)))


class _Opening(SchemaExtension):
    async def on_execute(self) -> AsyncGenerator[None, None]:
        context: RequestContext = self.execution_context.context
        # The token of a request was checked a moment ago; a WebSocket's, when it was opened.
        await (context.renew() if context.is_lasting else context.open())
        yield


class ForestSchema(strawberry.Schema):
    """The schema, with a context of its own for each operation and errors that tell nothing
    but what they should."""

    async def execute(self, *args: Any, **kwargs: Any) -> ExecutionResult:
        """Run a query or a mutation within the time limit."""
        context = _own_context(kwargs)
        try:
            async with asyncio.timeout(context.settings.serve_timeout_s):
                result = await super().execute(*args, **kwargs)
        except TimeoutError as error:
            result = PreExecutionError(data=None, errors=[_as_graphql(error)])
        return _presented(result, context)

    async def stream(self, *args: Any, **kwargs: Any) -> AsyncGenerator[ExecutionResult, None]:
        """Run any operation; a subscription has many results, others one."""
        context = _own_context(kwargs)
        return self._presented_stream(await super().stream(*args, **kwargs), context)

    async def _presented_stream(
        self, source: Any, context: RequestContext
    ) -> AsyncGenerator[ExecutionResult, None]:
        try:
            async with aclosing(source):
                async for result in source:
                    yield _presented(result, context)
        except Exception as error:
            failed = PreExecutionError(data=None, errors=[_as_graphql(error)])
            yield _presented(failed, context)

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Keep Strawberry from logging messages of errors, which may quote what was asked."""


@cache
def build_schema(*, development: bool = False) -> ForestSchema:
    """The schema of the service.

    Args:
        development: answer introspection, and suggest names where one is misspelt.
    """
    return ForestSchema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        extensions=(_Opening,),
        config=StrawberryConfig(disable_field_suggestions=not development, scalar_map=SCALARS),
    )


def _own_context(kwargs: dict[str, Any]) -> RequestContext:
    connection: RequestContext = kwargs["context_value"]
    kwargs["context_value"] = own = connection.for_operation()
    return own


def _as_graphql(error: BaseException) -> GraphQLError:
    return GraphQLError(
        "", original_error=error if isinstance(error, Exception) else RuntimeError()
    )


def _presented(result: ExecutionResult, context: RequestContext) -> ExecutionResult:
    if result.errors:
        result.errors = [presented(error, context.request_id) for error in result.errors]
    return result
