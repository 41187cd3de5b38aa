"""Small artifacts, a Maven repository that serves them, and options for servers of one's own."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from egcforest.graph.private.artifacts import LockedArtifact


class MavenRepository:
    """A folder in Maven layout behind HTTP on loopback; `requested` lists the paths of jars."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.requested: list[str] = []
        self.refuse_after: int | None = None
        repository = self

        class Handler(SimpleHTTPRequestHandler):
            def __init__(self, *args: object) -> None:
                super().__init__(*args, directory=str(root))  # type: ignore[arg-type]

            def do_GET(self) -> None:
                if self.path.endswith(".jar"):
                    repository.requested.append(self.path)
                    limit = repository.refuse_after
                    if limit is not None and len(repository.requested) > limit:
                        self.send_error(503)
                        return
                super().do_GET()

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def add(self, name: str, content: bytes, sent: bytes | None = None) -> LockedArtifact:
        """Lock `content`; serve `sent` in its place if given."""
        digest = hashlib.sha256(content).hexdigest()
        artifact = LockedArtifact("org.example", name, "1.0", "", digest, len(content))
        path = self.root / artifact.maven_path
        path.parent.mkdir(parents=True)
        path.write_bytes(content if sent is None else sent)
        return artifact


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[MavenRepository]:
    root = tmp_path / "repository"
    root.mkdir()
    repository = MavenRepository(root)
    yield repository
    repository.close()


@pytest.fixture
def jars(repository: MavenRepository) -> list[LockedArtifact]:
    return [repository.add(f"part{n}", bytes([n]) * (1000 + n)) for n in range(12)]
