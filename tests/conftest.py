"""Fixtures shared by all rooms."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.neo4j_server import Neo4jServer, running_neo4j


@pytest.fixture(scope="session")
def neo4j_server() -> Iterator[Neo4jServer]:
    """A Neo4j that answers; the whole session shares it, so clean up what you write."""
    with running_neo4j() as server:
        yield server
