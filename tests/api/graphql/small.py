"""A small workspace that a test may add to while a server reads it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from tests.api.graphql.conftest import Asker
from tests.api.serving import serving
from tests.retrieval.conftest import grow


@dataclass
class Small:
    """A workspace with a server over it."""

    ask: Asker
    folder: Path
    workspace: str
    connection: ConnectionConfig

    def add(self, *lines: dict[str, Any]) -> None:
        """Log and build further lines, as of docs/jsonl.md."""
        _run(_grown(self.connection, self.folder, self.workspace, list(lines)))

    def key(self, channel: str, number: str) -> str:
        return f"{self.workspace}/m/{channel}/{number}"


@contextmanager
def small_workspace(
    connection: ConnectionConfig, folder: Path, lines: list[dict[str, Any]], **settings: Any
) -> Iterator[Small]:
    """A server over a workspace with `lines`, which is wiped in the end."""
    workspace = f"g{uuid.uuid4().hex[:12]}"
    _run(_grown(connection, folder, workspace, lines))
    try:
        with serving(connection, workspace, **settings) as api:
            yield Small(Asker(api), folder, workspace, connection)
    finally:
        _run(_wiped(connection, workspace))


async def _grown(
    connection: ConnectionConfig, folder: Path, workspace: str, lines: list[dict[str, Any]]
) -> None:
    async with await ForestStore.open(connection) as store:
        await grow(store, folder, workspace, lines)


async def _wiped(connection: ConnectionConfig, workspace: str) -> None:
    async with await ForestStore.open(connection) as store:
        await LogStore(store).wipe(workspace)


def _run(work: Any) -> None:
    with ThreadPoolExecutor(1) as executor:
        executor.submit(asyncio.run, work).result()
