"""How an operation is run: admitted, timed, renewed, reported, its errors made presentable."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

import strawberry
from graphql import GraphQLError, GraphQLSchema, OperationType
from starlette.requests import HTTPConnection
from strawberry.extensions import SchemaExtension
from strawberry.types import ExecutionContext, ExecutionResult
from strawberry.types.execution import PreExecutionError

from ..errors import ApiError, ErrorCode
from .context import RequestContext, message_extensions
from .documents import InvalidDocumentError
from .errors import cause_of, presented
from .reports import OperationReport, Stopwatch, codes_of

logger = logging.getLogger("egcforest.graphql")

WAITING_MUTATION_S = 30.0
"""Seconds that a mutation may take beyond the time limit, because it may wait for a job."""

_CANCELLED = "CANCELLED"


class ForestSchema(strawberry.Schema):
    """The schema. Each operation has a context of its own, on a connection that has many too."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(extensions=(_Prepared,), **kwargs)

    @property
    def core(self) -> GraphQLSchema:
        """The schema as graphql-core knows it."""
        return self._schema

    async def execute(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: Any = None,
        root_value: Any = None,
        operation_name: str | None = None,
        allowed_operation_types: Any = None,
        operation_extensions: dict[str, Any] | None = None,
    ) -> ExecutionResult:
        """Run a query or a mutation within the time limit."""
        run = _Run(context_value)
        try:
            await run.admit(query, variable_values, operation_name, operation_extensions)
            run.check_has_one_result()
            async with asyncio.timeout(run.limit_s):
                result = await super().execute(
                    query or run.placeholder,
                    variable_values=variable_values,
                    context_value=run.context,
                    root_value=root_value,
                    operation_name=operation_name,
                    allowed_operation_types=allowed_operation_types,
                )
            return run.presented(result)
        except Exception as error:
            if run.is_for_transport(error):
                raise
            return run.failed(error)
        except asyncio.CancelledError:
            run.note(_CANCELLED)
            raise
        finally:
            run.report()

    async def stream(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: Any = None,
        root_value: Any = None,
        operation_name: str | None = None,
        operation_extensions: dict[str, Any] | None = None,
        allowed_operation_types: Any = None,
    ) -> AsyncGenerator[ExecutionResult, None]:
        """Run any operation. A subscription has many results and no time limit, others one."""

        async def source() -> AsyncGenerator[Any, None]:
            return await super(ForestSchema, self).stream(
                query or run.placeholder,
                variable_values=variable_values,
                context_value=run.context,
                root_value=root_value,
                operation_name=operation_name,
                allowed_operation_types=allowed_operation_types,
            )

        extensions = operation_extensions or message_extensions.get()

        async def results() -> AsyncGenerator[ExecutionResult, None]:
            try:
                await run.admit(query, variable_values, operation_name, extensions)
                async with aclosing(await source()) as found:
                    while (result := await run.next_of(found)) is not None:
                        yield run.presented(result)
            except Exception as error:
                yield run.failed(error)
            except (asyncio.CancelledError, GeneratorExit):
                run.note(_CANCELLED)
                raise
            finally:
                run.report()

        run = _Run(context_value)
        return results()

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Keep Strawberry from logging messages of errors, which may quote what was asked."""


class _Prepared(SchemaExtension):
    """Hands the admitted document on, so that it is neither parsed nor validated again, and
    opens the context before the first resolver."""

    def on_parse(self) -> Iterator[None]:
        execution = self.execution_context
        execution.graphql_document = execution.context.admitted.document
        execution.validation_rules = ()
        yield

    async def on_execute(self) -> AsyncGenerator[None, None]:
        context: RequestContext = self.execution_context.context
        # The token of a request was checked a moment ago; a WebSocket's, when it was opened.
        await (context.renew() if context.is_lasting else context.open())
        yield


class _Run:
    """One operation from its beginning to its end."""

    # Strawberry wants a text, and does not read it where there is a document.
    placeholder = "-"

    def __init__(self, connection: RequestContext) -> None:
        self.context = connection.for_operation()
        self._stopwatch = Stopwatch()
        self._codes: dict[str, None] = {}
        self._results = 0

    async def admit(
        self,
        query: str | None,
        variables: dict[str, Any] | None,
        operation_name: str | None,
        extensions: dict[str, Any] | None,
    ) -> None:
        protection = self.context.runtime.protection
        self.context.admitted = await protection.admit(query, variables, operation_name, extensions)

    @property
    def limit_s(self) -> float | None:
        """Seconds until the one result, None where there may be many."""
        limit_s = self.context.settings.serve_timeout_s
        match self.context.admitted.operation.operation:
            case OperationType.SUBSCRIPTION:
                return None
            case OperationType.MUTATION:
                return limit_s + WAITING_MUTATION_S
            case _:
                return limit_s

    def check_has_one_result(self) -> None:
        """Refuse a subscription where there is room for one result.

        Raises:
            ApiError: it is one.
        """
        if self.context.admitted.operation.operation is OperationType.SUBSCRIPTION:
            raise ApiError(
                "A subscription has many results.",
                "Ask for server-sent events (Accept: text/event-stream), or use a WebSocket.",
            )

    async def next_of(self, source: Any) -> ExecutionResult | None:
        """The next result; None at the end.

        Raises:
            TimeoutError: it took too long.
            ApiError: the process is to end, and with it what could go on for ever.
        """
        if self.limit_s is not None:
            async with asyncio.timeout(self.limit_s):
                return await anext(source, None)
        upcoming = asyncio.ensure_future(anext(source, None))
        closing = asyncio.ensure_future(self.context.runtime.closing.wait())
        try:
            await asyncio.wait({upcoming, closing}, return_when=asyncio.FIRST_COMPLETED)
            if upcoming.done():
                return upcoming.result()
        finally:
            closing.cancel()
            if not upcoming.done():
                # The source can be closed only when it is not running.
                upcoming.cancel()
                await asyncio.wait({upcoming})
        raise ApiError(
            "The service is shutting down.", "Connect again.", code=ErrorCode.UNAVAILABLE
        )

    def presented(self, result: ExecutionResult) -> ExecutionResult:
        self._results += 1
        if result.errors:
            result.errors = [self._presented(error) for error in result.errors]
            for code in codes_of(result.errors):
                self.note(code)
        return result

    def failed(self, error: Exception) -> ExecutionResult:
        """The one result of an operation that was not run to its end."""
        if isinstance(error, InvalidDocumentError):
            errors = error.errors
        else:
            errors = [GraphQLError("", original_error=error)]
        return self.presented(PreExecutionError(data=None, errors=errors))

    def is_for_transport(self, error: Exception) -> bool:
        """Whether the error says that this kind of operation cannot be run in this way."""
        return type(error).__module__ == "strawberry.schema.exceptions"

    def note(self, code: str) -> None:
        self._codes[code] = None

    def _presented(self, error: GraphQLError) -> GraphQLError:
        shown = presented(error, self.context.request_id)
        if (shown.extensions or {}).get("code") == ErrorCode.INTERNAL:
            logger.error(
                "An operation failed in an unforeseen way.",
                exc_info=cause_of(error),
                extra={"request_id": self.context.request_id},
            )
        return shown

    def report(self) -> None:
        context = self.context
        admitted = context.admitted_or_none
        principal = context.principal
        report = OperationReport(
            request_id=context.request_id,
            token_id=principal.token_id,
            token_name=principal.name,
            workspace=principal.workspace,
            on_behalf=principal.behind is not None,
            kind=admitted.operation.operation.value if admitted else "none",
            name=admitted.name if admitted else "",
            cost=admitted.size.cost if admitted else 0,
            duration_ms=self._stopwatch.ms,
            codes=tuple(self._codes),
            results=self._results,
            stages_ms=context.stages_ms,
            began_ns=self._stopwatch.began_ns,
            trace_headers=_trace_headers(context.request),
        )
        for observe in context.runtime.observers:
            observe(report)


def _trace_headers(request: HTTPConnection | None) -> dict[str, str]:
    if request is None:
        return {}
    names = ("traceparent", "tracestate")
    return {name: request.headers[name] for name in names if name in request.headers}
