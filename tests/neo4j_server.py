"""The one Neo4j of a test session: the configured one, or a private one that ends with it."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType

import platformdirs

from egcforest.api.private_options import private_options
from egcforest.api.settings import load_settings
from egcforest.graph.private import PrivateNeo4j

URI, USER, PASSWORD = (f"EGCFOREST_TEST_NEO4J_{name}" for name in ("URI", "USER", "PASSWORD"))


@dataclass(frozen=True, slots=True)
class Neo4jServer:
    """Where tests find their Neo4j."""

    bolt_uri: str
    user: str
    password: str = field(repr=False)
    http_url: str = ""
    browser_url: str = ""


def test_cache_dir() -> Path:
    """The folder of the fetched jars; tests share it with the user's own."""
    configured = os.environ.get("EGCFOREST_CACHE_DIR")
    return Path(configured) if configured else platformdirs.user_cache_path("egcforest")


test_cache_dir.__test__ = False  # type: ignore[attr-defined]


@contextmanager
def running_neo4j() -> Iterator[Neo4jServer]:
    """Yield the server of `EGCFOREST_TEST_NEO4J_URI`, or start one and stop it whatever happens."""
    if os.environ.get(URI):
        yield Neo4jServer(
            os.environ[URI], os.environ.get(USER, "neo4j"), os.environ.get(PASSWORD, "")
        )
        return
    with private_neo4j() as server:
        yield server


@contextmanager
def private_neo4j() -> Iterator[Neo4jServer]:
    """Start a private Neo4j with an empty database in a temporary folder; stop it in the end."""
    folder = Path(tempfile.mkdtemp(prefix="egcforest-test-neo4j-"))
    # Java, mirror and cache are the user's own: a closed network has set them for a reason.
    options = replace(
        private_options(load_settings().values),
        data_dir=folder,
        heap_mib=768,
        start_timeout_s=240,
    )
    neo4j = PrivateNeo4j(options)

    def stop() -> None:
        neo4j.stop()
        shutil.rmtree(folder, ignore_errors=True)

    def on_terminate(number: int, frame: FrameType | None) -> None:
        stop()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    before = signal.signal(signal.SIGTERM, on_terminate)
    atexit.register(stop)
    try:
        info = neo4j.start()
        yield Neo4jServer(info.bolt_uri, info.user, info.password, info.http_url, info.browser_url)
    finally:
        stop()
        atexit.unregister(stop)
        signal.signal(signal.SIGTERM, before)
