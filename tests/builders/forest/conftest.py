"""Forests on a real Neo4j, a workspace per test."""

import json
import uuid

import pytest

from egcforest.builders.log import append_source
from egcforest.builders.pipeline import ForestBuilder
from egcforest.builders.sources import open_source
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.fingerprint import fingerprint
from egcforest.graph.identity import EncoderIdentity
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from egcforest.text.encoders.hashing import HashingEncoder

ENCODER = HashingEncoder()


@pytest.fixture(scope="session")
async def store(neo4j_server):
    config = ConnectionConfig(neo4j_server.bolt_uri, neo4j_server.user, neo4j_server.password)
    async with await ForestStore.open(config) as opened:
        await opened.prepare(EncoderIdentity.of(ENCODER), reencode=True)
        yield opened


class Company:
    """A workspace: logs JSONL lines, builds, and reads back."""

    def __init__(self, store, workspace, folder):
        self.store = store
        self.log_store = LogStore(store)
        self.workspace = workspace
        self.folder = folder
        self._number = 0

    async def log(self, *lines):
        self._number += 1
        path = self.folder / f"{self.workspace}-{self._number}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return await append_source(open_source(path), self.workspace, self.log_store)

    async def build(self, **options):
        return await ForestBuilder(self.store, ENCODER, **options).build(self.workspace)

    async def grow(self, *lines, **options):
        await self.log(*lines)
        return await self.build(**options)

    async def fingerprint(self):
        return await fingerprint(self.store, self.workspace)

    async def cypher(self, text, **params):
        return await self.store.run_autocommit(text, {"w": self.workspace, **params})


@pytest.fixture
async def company(store, tmp_path):
    """Makes workspaces that are wiped after the test."""
    opened = []

    def make():
        one = Company(store, f"test-{uuid.uuid4().hex[:12]}", tmp_path)
        opened.append(one)
        return one

    yield make
    for one in opened:
        await one.log_store.wipe(one.workspace)
