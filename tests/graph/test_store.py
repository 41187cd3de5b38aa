"""The store on a real Neo4j: transactions, limits, errors, life cycle."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace

import pytest
from neo4j.exceptions import ClientError, Neo4jError, TransientError

from egcforest import cypher
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.errors import ConnectionFailedError, GraphError, QueryTimeoutError
from egcforest.graph.store import ForestStore, Transaction
from tests.neo4j_server import Neo4jServer


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Further named queries, for this test alone."""
    extra = dict(cypher._texts())
    monkeypatch.setattr(cypher, "_texts", lambda: extra)
    return extra


async def test_a_write_returns_rows_and_counters(
    store: ForestStore, workspace: str, queries: dict[str, str]
) -> None:
    queries["t/make"] = (
        "UNWIND $rows AS row CREATE (n:Artifact {key: row.key, workspace: $w}) RETURN n.key AS key"
    )
    rows = [{"key": f"{workspace}/x/{n:02}"} for n in range(25)]
    done = await store.write_batches(
        "t/make", rows[::-1], batch_size=10, extra_params={"w": workspace}
    )
    assert [row["key"] for row in done] == [row["key"] for row in rows], "in key order"
    assert done.counters["nodes_created"] == 25


async def test_a_failing_transaction_leaves_nothing(
    store: ForestStore, workspace: str, queries: dict[str, str]
) -> None:
    queries["t/one"] = "CREATE (n:Artifact {key: $k, workspace: $w})"
    key = f"{workspace}/x/1"

    async def work(tx: Transaction) -> None:
        await tx.run("t/one", {"k": key, "w": workspace})
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        await store.write_transaction(work)
    queries["t/count"] = "MATCH (n:Artifact {key: $k}) RETURN count(n) AS n"
    assert await store.read("t/count", {"k": key}) == [{"n": 0}]
    await store.write("t/one", {"k": key, "w": workspace})
    assert await store.read("t/count", {"k": key}) == [{"n": 1}]
    with pytest.raises(ClientError, match="already exists"):
        await store.write("t/one", {"k": key, "w": workspace})


async def test_reads_cannot_write(store: ForestStore, queries: dict[str, str]) -> None:
    queries["t/one"] = "CREATE (n:Artifact {key: 'x', workspace: 'x'})"
    with pytest.raises(Neo4jError, match=r"[Ww]rit"):
        await store.read("t/one")


async def test_a_transient_error_is_retried(store: ForestStore, queries: dict[str, str]) -> None:
    queries["t/one"] = "RETURN 1 AS one"
    attempts = 0

    async def work(tx: Transaction) -> int:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            raise transient("Neo.TransientError.Transaction.DeadlockDetected")
        return int((await tx.run("t/one"))[0]["one"])

    assert await store.write_transaction(work) == 1
    assert attempts == 3


def transient(code: str) -> Neo4jError:
    error = Neo4jError._basic_hydrate(neo4j_code=code, message="for the test")
    assert isinstance(error, TransientError)
    return error


@pytest.mark.parametrize(
    "code",
    [
        "Neo.TransientError.General.OutOfMemoryError",
        "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
    ],
)
async def test_an_out_of_memory_is_never_retried(
    store: ForestStore, queries: dict[str, str], code: str
) -> None:
    """Fault 13."""
    queries["t/one"] = "RETURN 1 AS one"
    attempts = 0

    class Full:
        async def run(self, *args: object) -> None:
            nonlocal attempts
            attempts += 1
            raise transient(code)

    async def work(tx: Transaction) -> None:
        tx._tx = Full()  # type: ignore[assignment]
        await tx.run("t/one")

    with pytest.raises(GraphError, match="ran out of memory over the query 't/one'") as info:
        await store.write_transaction(work)
    assert "smaller batches" in info.value.remedy
    assert attempts == 1


async def test_a_query_has_a_time_limit(store: ForestStore, queries: dict[str, str]) -> None:
    queries["t/slow"] = (
        "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN sum(a * b % 7) AS s"
    )
    with pytest.raises(QueryTimeoutError, match=r"longer than 0.5 s"):
        await store.read("t/slow", timeout_s=0.5)


async def test_another_event_loop_is_refused(store: ForestStore) -> None:
    """Fault 28."""

    def elsewhere() -> None:
        asyncio.run(store.await_indexes())

    with pytest.raises(GraphError, match="opened on another event loop"):
        await asyncio.to_thread(elsewhere)


async def test_a_closed_store_says_so(connection: ConnectionConfig) -> None:
    async with await ForestStore.open(connection) as opened:
        await opened.read("schema/server")
    await opened.close()
    with pytest.raises(GraphError, match="is closed"):
        await opened.read("schema/server")


async def test_a_reader_sees_its_own_writes_through_routing(
    neo4j_server: Neo4jServer, connection: ConnectionConfig, workspace: str
) -> None:
    routed = replace(connection, uri=neo4j_server.bolt_uri.replace("bolt://", "neo4j://"))
    async with await ForestStore.open(routed) as opened:
        for n in range(5):
            name = f"{workspace}{n}"
            await opened.write("log/upsert_workspace", {"workspace": name})
            rows = await opened.read("status/workspaces")
            assert name in rows[0]["names"]
            await opened.write(
                "status/wipe", {"workspace": name, "prefix": f"{name}/", "limit": 10}
            )


async def test_a_full_pool_says_so(connection: ConnectionConfig, queries: dict[str, str]) -> None:
    queries["t/one"] = "RETURN 1 AS one"
    small = replace(connection, pool_size=1, acquire_timeout_s=0.2)
    async with await ForestStore.open(small) as opened:

        async def holds(tx: Transaction) -> None:
            await tx.run("t/one")
            with pytest.raises(GraphError, match=r"All 1 connections to .* in use for 0.2 s"):
                await opened.read("t/one")

        await opened.read_transaction(holds)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_what_is_said_when_the_database_cannot_be_reached(
    neo4j_server: Neo4jServer, connection: ConnectionConfig
) -> None:
    cases = [
        (replace(connection, password="wrong-password"), "refuses the user"),
        (replace(connection, uri=f"bolt://127.0.0.1:{free_port()}"), "No Neo4j answers at bolt"),
        (replace(connection, uri=f"neo4j://127.0.0.1:{free_port()}"), "No Neo4j answers at neo4j"),
        (replace(connection, uri=neo4j_server.bolt_uri.replace("bolt:", "bolt+s:")), "over TLS"),
        (replace(connection, database="nope"), "has no database 'nope'"),
    ]
    if neo4j_server.http_url:
        address = neo4j_server.http_url.split("//")[1].rstrip("/")
        cases.append((replace(connection, uri=f"bolt://{address}"), "does not speak"))
    for config, said in cases:
        with pytest.raises(ConnectionFailedError, match=said) as info:
            await ForestStore.open(config)
        assert info.value.remedy
        assert config.password not in str(info.value)


@pytest.mark.parametrize(
    "uri", ["http://localhost:7474", "localhost:7687", "bolt://", "", "bolt://u:secret@host:7687"]
)
def test_unusable_addresses_are_refused_without_showing_secrets(uri: str) -> None:
    with pytest.raises(ConnectionFailedError) as info:
        ConnectionConfig(uri, "neo4j", "pw")
    assert "secret" not in str(info.value)


def test_the_password_is_not_shown() -> None:
    assert "pw-1234" not in repr(ConnectionConfig("bolt://h", "neo4j", "pw-1234"))
