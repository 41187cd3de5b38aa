"""What the end-to-end tests of the benchmarks share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from egcforest import cypher
from egcforest.benchmarks.home import Where
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.log_store import LogStore
from egcforest.graph.private import PrivateNeo4jOptions
from egcforest.graph.store import ForestStore


@pytest.fixture
async def where(
    store: ForestStore, connection: ConnectionConfig, tmp_path: Path
) -> AsyncIterator[Where]:
    """The session's Neo4j; what a benchmark leaves in it is deleted afterwards."""
    yield Where(connection, PrivateNeo4jOptions(tmp_path / "unused", tmp_path / "unused"))
    log_store = LogStore(store)
    for workspace in await log_store.workspaces():
        if workspace.startswith("bench-"):
            await log_store.wipe(workspace)
    await store.run_autocommit(cypher.load("bench/drop_text_index"))
