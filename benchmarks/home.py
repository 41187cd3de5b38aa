"""Where a benchmark runs: a private Neo4j of its own, in a folder that is kept or thrown away."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..graph.connection import ConnectionConfig
from ..graph.private import PrivateNeo4j, PrivateNeo4jOptions
from .errors import BenchmarkError

_MARKER = "built.json"


@contextmanager
def bench_home(folder: Path | None) -> Iterator[Path]:
    """The folder of a run: `folder`, made if it is missing, or a temporary one.

    Raises:
        BenchmarkError: `folder` is not empty and holds no benchmark.
    """
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="egcforest-bench-") as made:
            yield Path(made)
        return
    folder = folder.expanduser().absolute()
    mark = folder / "egcforest-bench"
    if folder.exists() and not mark.exists() and any(folder.iterdir()):
        raise BenchmarkError(
            f"The folder {folder} holds something that is no benchmark.",
            "Name a new or an empty folder with --home.",
        )
    folder.mkdir(parents=True, exist_ok=True)
    mark.touch()
    yield folder


@dataclass(frozen=True, slots=True)
class Where:
    """Which Neo4j a run uses.

    Attributes:
        server: a server that is there already; None starts private ones.
        private: how to have them; their data goes into the run's own folder.
    """

    server: ConnectionConfig | None
    private: PrivateNeo4jOptions


@dataclass(frozen=True, slots=True)
class Ground:
    """A Neo4j to grow one forest in.

    Attributes:
        connection: address and credentials.
        folder: what belongs to this forest alone.
        size_bytes: the size of the store on disk, None where it is out of reach.
    """

    connection: ConnectionConfig
    folder: Path
    size_bytes: Callable[[], int | None]

    def built(self, signature: str) -> dict[str, Any] | None:
        """What was remembered of a forest with this signature, if it is the one that is there."""
        try:
            stored = json.loads((self.folder / _MARKER).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return stored["build"] if stored.get("signature") == signature else None

    def remember(self, signature: str, build: dict[str, Any]) -> None:
        """Remember that the forest is there, complete."""
        content = json.dumps({"signature": signature, "build": build}, indent=2)
        (self.folder / _MARKER).write_text(content + "\n", encoding="utf-8")

    def forget(self) -> None:
        """A forest is about to change: what was remembered no longer holds."""
        (self.folder / _MARKER).unlink(missing_ok=True)


@contextmanager
def ground(where: Where, home: Path, name: str, report: Callable[[str], None]) -> Iterator[Ground]:
    """The server that was named, or a private Neo4j in `home` that is stopped afterwards.

    Args:
        name: of the forest: each has a folder, and a private Neo4j, of its own, because word
            statistics are those of a whole database.
        report: told in sentences what happens.
    """
    folder = home / name
    folder.mkdir(parents=True, exist_ok=True)
    if where.server is not None:
        yield Ground(where.server, folder, lambda: None)
        return

    def told(sentence: str) -> None:
        # This one does not stay up.
        report(sentence.partition(" It stays up until")[0])

    neo4j = PrivateNeo4j(replace(where.private, data_dir=folder / "neo4j"), report=told)
    try:
        info = neo4j.start()
        connection = ConnectionConfig(info.bolt_uri, info.user, info.password)
        yield Ground(connection, folder, neo4j.store_size_bytes)
    finally:
        neo4j.stop()


def digest(*parts: str) -> str:
    """A signature of `parts`."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()


def code_digest(*rooms: str) -> str:
    """A signature of the code of `rooms`, so that a forest of other code is not reused."""
    root = Path(__file__).resolve().parents[1]
    files = sorted(
        path
        for room in rooms
        for path in (root / room).rglob("*")
        if path.suffix in (".py", ".cypher")
    )
    return digest(*(f"{path.relative_to(root)}\n{path.read_text('utf-8')}" for path in files))
