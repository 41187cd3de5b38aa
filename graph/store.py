"""The store: one async driver, named queries, managed transactions with retry.

Every read and write of the service goes through here. A query is named (`cypher.load`), never
text; values are parameters. Rooms wrap this class with typed stores of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncDriver,
    AsyncManagedTransaction,
    AsyncSession,
    Query,
    unit_of_work,
)
from neo4j.exceptions import ConnectionAcquisitionTimeoutError, DriverError, Neo4jError

from .. import cypher
from .connection import ConnectionConfig, connection_error, is_unreachable, open_driver
from .errors import DatabaseMemoryError, GraphError, QueryTimeoutError
from .identity import EncoderIdentity
from .prepare import prepare_schema

Row = dict[str, Any]
Params = Mapping[str, Any]
T = TypeVar("T")

DATABASE_ERRORS = (GraphError, Neo4jError, DriverError)
"""What any method may raise: those of the driver where there is no better word for it."""

WRITE_TIMEOUT_S = 300.0
READ_TIMEOUT_S = 60.0


class Rows(list[Row]):
    """Rows of a write, with what it changed in `counters` (`nodes_created` and so on)."""

    counters: dict[str, int]

    def __init__(self, rows: Sequence[Row], counters: dict[str, int]) -> None:
        super().__init__(rows)
        self.counters = counters


class Transaction:
    """A transaction in progress: runs named queries; all of them take effect or none."""

    def __init__(self, tx: AsyncManagedTransaction) -> None:
        self._tx = tx

    async def run(self, name: str, params: Params | None = None) -> Rows:
        """Run the query called `name` and fetch all its rows."""
        try:
            result = await self._tx.run(_text(name), dict(params or {}))
            rows = [dict(record) async for record in result]
            summary = await result.consume()
        except Neo4jError as error:
            raise _never_retried(name, error) from error
        return Rows(rows, _counters(summary.counters))


class ForestStore:
    """The graph, opened. Use as `async with await ForestStore.open(config) as store`.

    Open one for the life of the process, on the event loop that uses it. All methods may be
    called concurrently. Reads see the store's own earlier writes, on a cluster too.
    """

    def __init__(self, driver: AsyncDriver, config: ConnectionConfig) -> None:
        self._driver = driver
        self._config = config
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._in_use = 0

    @classmethod
    async def open(cls, config: ConnectionConfig) -> ForestStore:
        """Connect.

        Raises:
            ConnectionFailedError: the database cannot be reached or refuses the credentials.
        """
        return cls(await open_driver(config), config)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the driver; harmless the second time."""
        if not self._closed:
            self._check_loop()
            self._closed = True
            await self._driver.close()

    @property
    def config(self) -> ConnectionConfig:
        """What the store was opened with."""
        return self._config

    @property
    def in_use(self) -> int:
        """Sessions that are open now; each holds at most one of the pool's connections."""
        return self._in_use

    async def prepare(self, encoder: EncoderIdentity | None, *, reencode: bool = False) -> None:
        """Create what the schema needs, check version and encoder, await the indexes.

        Args:
            encoder: who makes the vectors; None makes no vector index and checks no encoder.
            reencode: take `encoder` even where the graph holds another one's vectors: they are
                dropped and everything is marked for encoding.

        Raises:
            SchemaError: the server is too old, or the graph was written by a newer release.
            EncoderMismatchError: the graph's vectors come from another encoder.
        """
        self._check_loop()
        await prepare_schema(self, encoder, reencode=reencode)

    async def read(
        self, name: str, params: Params | None = None, *, timeout_s: float = READ_TIMEOUT_S
    ) -> list[Row]:
        """Run one named query in a read transaction with retry.

        Raises:
            QueryTimeoutError: it took longer than `timeout_s` seconds.
            ConnectionFailedError: the database went away.
            DatabaseMemoryError: the database ran out of memory over it.
        """
        # By itself first: that is one round trip, where beginning and ending a transaction takes
        # three. What may pass, such as a change of leader, is left to the driver's retries.
        async with self._session(READ_ACCESS) as session:
            query = Query(_text(name), timeout=timeout_s)
            rows = await self._guarded(_alone(name, session, query, params), timeout_s=timeout_s)
        if rows is not None:
            return rows
        return await self.read_transaction(lambda tx: tx.run(name, params), timeout_s=timeout_s)

    async def write(
        self, name: str, params: Params | None = None, *, timeout_s: float = WRITE_TIMEOUT_S
    ) -> Rows:
        """Run one named query in a write transaction with retry. Raises as `read` does."""
        return await self.write_transaction(lambda tx: tx.run(name, params), timeout_s=timeout_s)

    async def write_batches(
        self,
        name: str,
        rows: Sequence[Row],
        *,
        batch_size: int = 1000,
        param: str = "rows",
        extra_params: Params | None = None,
        timeout_s: float = WRITE_TIMEOUT_S,
    ) -> Rows:
        """Run one named query over `rows`, `batch_size` rows to a transaction.

        Rows are sorted by their `key` first: transactions that run at the same time then take
        their locks in one order and cannot deadlock. Returns all rows and summed counters.
        """
        ordered = sorted(rows, key=lambda row: str(row["key"]))
        found: list[Row] = []
        counters: dict[str, int] = {}
        for start in range(0, len(ordered), batch_size):
            batch = {**(extra_params or {}), param: ordered[start : start + batch_size]}
            done = await self.write(name, batch, timeout_s=timeout_s)
            found += done
            for counter, number in done.counters.items():
                counters[counter] = counters.get(counter, 0) + number
        return Rows(found, counters)

    async def read_transaction(
        self, work: Callable[[Transaction], Awaitable[T]], *, timeout_s: float = READ_TIMEOUT_S
    ) -> T:
        """Run `work`, which may run several queries, in one read transaction with retry."""
        async with self._session() as session:
            return await self._guarded(
                session.execute_read(_unit(work, timeout_s)), timeout_s=timeout_s
            )

    async def write_transaction(
        self, work: Callable[[Transaction], Awaitable[T]], *, timeout_s: float = WRITE_TIMEOUT_S
    ) -> T:
        """Run `work` in one write transaction. `work` may run again after a deadlock or a
        change of leader, so it must not change anything outside the graph."""
        async with self._session() as session:
            return await self._guarded(
                session.execute_write(_unit(work, timeout_s)), timeout_s=timeout_s
            )

    async def run_autocommit(self, text: str, params: Params | None = None) -> list[Row]:
        """Run statement text outside a managed transaction: DDL, and nothing else.

        The text comes from `graph.ddl`, never from a user.
        """
        async with self._session() as session:
            return await self._guarded(_autocommit(session, text, params), timeout_s=None)

    async def await_indexes(self, *, timeout_s: float = 600.0) -> None:
        """Wait until every index is online.

        Raises:
            GraphError: an index failed, or is not online after `timeout_s` seconds.
        """
        await self.read(
            "schema/await_indexes",
            {"timeout_s": int(timeout_s)},
            timeout_s=timeout_s + 30,
        )

    @asynccontextmanager
    async def _session(self, access: str = WRITE_ACCESS) -> AsyncIterator[AsyncSession]:
        self._check_loop()
        if self._closed:
            raise GraphError("The store is closed.", "Open a new one with ForestStore.open().")
        self._in_use += 1
        try:
            async with self._driver.session(
                database=self._config.database,
                # Of queries that run by themselves; transactions say what they are.
                default_access_mode=access,
                # One bookmark manager for all sessions: a reader sees this process's writes.
                bookmark_manager=self._driver.execute_query_bookmark_manager,
            ) as session:
                yield session
        finally:
            self._in_use -= 1

    def _check_loop(self) -> None:
        if asyncio.get_running_loop() is not self._loop:
            raise GraphError(
                "The store was opened on another event loop.",
                "Open one store on each event loop, in the lifespan of the application.",
            )

    async def _guarded(self, work: Awaitable[T], *, timeout_s: float | None) -> T:
        try:
            return await work
        except (Neo4jError, DriverError, OSError) as error:
            if is_unreachable(error):
                raise connection_error(self._config, error) from error
            if isinstance(error, ConnectionAcquisitionTimeoutError):
                raise GraphError(
                    f"All {self._config.pool_size} connections to {self._config.address} were "
                    f"in use for {self._config.acquire_timeout_s:g} s.",
                    "Ask for less at the same time, or raise the pool size.",
                ) from error
            if timeout_s is not None and "TransactionTimedOut" in (
                getattr(error, "code", None) or ""
            ):
                raise QueryTimeoutError(
                    f"The database took longer than {timeout_s:g} s over one transaction.",
                    "Ask for less at once, or raise the time limit.",
                ) from error
            raise


def _unit(
    work: Callable[[Transaction], Awaitable[T]], timeout_s: float
) -> Callable[[AsyncManagedTransaction], Awaitable[T]]:
    @unit_of_work(timeout=timeout_s)
    async def run(tx: AsyncManagedTransaction) -> T:
        return await work(Transaction(tx))

    return cast("Callable[[AsyncManagedTransaction], Awaitable[T]]", run)


async def _alone(
    name: str, session: AsyncSession, query: Query, params: Params | None
) -> list[Row] | None:
    """The rows of a query that runs by itself; None after an error that may pass."""
    try:
        result = await session.run(query, dict(params or {}))
        return [dict(record) async for record in result]
    except (Neo4jError, DriverError) as error:
        known = _never_retried(name, error) if isinstance(error, Neo4jError) else error
        if known is error and error.is_retryable():
            return None
        raise known from error


async def _autocommit(session: AsyncSession, text: str, params: Params | None) -> list[Row]:
    result = await session.run(text, dict(params or {}))
    return [dict(record) async for record in result]


def _text(name: str) -> str:
    return cypher.load(name)


def _never_retried(name: str, error: Neo4jError) -> Exception:
    """`error`, or a `DatabaseMemoryError` where the driver would retry what cannot succeed."""
    if "OutOfMemory" in (error.code or ""):
        return DatabaseMemoryError(
            f"The database ran out of memory over the query {name!r}.",
            "Use smaller batches, or give Neo4j more heap "
            "(server.memory.heap.max_size, dbms.memory.transaction.total.max).",
        )
    return error


def _counters(counters: object) -> dict[str, int]:
    return {
        name: value
        for name, value in vars(counters).items()
        if isinstance(value, int) and not isinstance(value, bool) and not name.startswith("_")
    }
