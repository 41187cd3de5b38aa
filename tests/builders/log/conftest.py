"""A log on a real Neo4j, a workspace per test."""

import json
import uuid

import pytest

from egcforest.builders.log import append_source
from egcforest.builders.sources import open_source
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore


@pytest.fixture(scope="session")
async def store(neo4j_server):
    config = ConnectionConfig(neo4j_server.bolt_uri, neo4j_server.user, neo4j_server.password)
    async with await ForestStore.open(config) as opened:
        await opened.prepare(None)
        yield opened


class Log:
    """Ingests into one workspace and reads back what is there."""

    def __init__(self, store, workspace, folder):
        self.store = store
        self.log_store = LogStore(store)
        self.workspace = workspace
        self.folder = folder
        self._number = 0

    async def ingest(self, *lines, **options):
        """Ingest JSONL lines."""
        self._number += 1
        path = self.folder / f"{self._number}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return await append_source(open_source(path), self.workspace, self.log_store, **options)

    async def slack(self, files, **options):
        """Ingest a Slack export given as path: content."""
        self._number += 1
        for name, content in files.items():
            path = self.folder / f"slack{self._number}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        source = open_source(self.folder / f"slack{self._number}")
        return await append_source(source, self.workspace, self.log_store, **options)

    async def cypher(self, text, **params):
        return await self.store.run_autocommit(text, {"w": self.workspace, **params})

    async def contents(self):
        """Everything in the workspace, in a canonical order, without what passes."""
        nodes = await self.cypher(
            "MATCH (n) WHERE n.workspace = $w RETURN labels(n) AS labels, properties(n) AS p"
        )
        edges = await self.cypher(
            "MATCH (a)-[r]->(b) WHERE a.workspace = $w RETURN a.key AS a, type(r) AS r, b.key AS b"
        )
        for row in nodes:
            # How often channels changed their audience is a fact of the way, not of the log.
            for passing in ("created_at", "build_pending", "refresh_pending", "audience_changes"):
                row["p"].pop(passing, None)
        return (
            sorted(json.dumps(row, default=str, sort_keys=True) for row in nodes),
            sorted((row["a"], row["r"], row["b"]) for row in edges),
        )


@pytest.fixture
async def log(store, tmp_path):
    opened = Log(store, f"test-{uuid.uuid4().hex[:12]}", tmp_path)
    yield opened
    await opened.log_store.wipe(opened.workspace)
