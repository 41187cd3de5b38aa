"""Fetching the locked jars into the cache: from a folder, a mirror or jgo's default repository.

The cache is laid out as a Maven repository, so that it can serve as an offline folder or
behind a mirror elsewhere. A jar enters it only after its SHA-256 fits the lock, by a rename:
an interrupted fetch leaves whole jars and goes on from there.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..errors import PrivateNeo4jError
from .artifacts import LockedArtifact
from .locking import hold_lock
from .progress import Progress, Report, SilentProgress, silent_report
from .storage import disk_errors

_THREADS = 8
_TRIES = 3
PAUSE_S = 1.0  # before the second try; doubled before each one after
_TIMEOUT_S = 30
_USER_INFO = re.compile(r"//[^/@]*@")  # credentials in an address are not for messages
REMEDIES = (
    "Check the network or the proxy, name a Maven mirror (EGCFOREST_MAVEN_MIRROR) or a folder "
    "that holds the jars (EGCFOREST_ARTIFACTS_DIR), or use a server of your own "
    "(EGCFOREST_NEO4J_URI)."
)


@dataclass(frozen=True, slots=True)
class ArtifactSource:
    """Where jars come from; without mirror and folder, jgo's default repository."""

    mirror: str | None = None
    offline_dir: Path | None = None


class ArtifactCache:
    """The jars in `root`, shared by all data folders of a user.

    Example:
        >>> cache = ArtifactCache(Path("cache"), ArtifactSource())
        >>> jars = cache.ensure(artifacts_for(this_system()))
    """

    def __init__(
        self,
        root: Path,
        source: ArtifactSource,
        *,
        report: Report = silent_report,
        progress: Progress | None = None,
    ) -> None:
        self._root = root
        self._jars = root / "maven"
        self._source = source
        self._report = report
        self._progress = progress or SilentProgress()

    def path(self, artifact: LockedArtifact) -> Path:
        """Where the jar is, or will be."""
        return self._jars / artifact.maven_path

    def missing(self, artifacts: Sequence[LockedArtifact]) -> list[LockedArtifact]:
        """Artifacts that are absent or of the wrong size; cheap, asked at every start."""
        return [a for a in artifacts if not _has_size(self.path(a), a.size)]

    def corrupted(self, artifacts: Sequence[LockedArtifact]) -> list[LockedArtifact]:
        """Artifacts that are absent or whose SHA-256 does not fit; reads every jar."""
        absent = self.missing(artifacts)
        present = [a for a in artifacts if a not in absent]
        return absent + [a for a in present if _sha256(self.path(a)) != a.sha256]

    def discard(self, artifacts: Sequence[LockedArtifact]) -> None:
        """Remove jars from the cache, so that `ensure` fetches them again."""
        for artifact in artifacts:
            self.path(artifact).unlink(missing_ok=True)

    def ensure(self, artifacts: Sequence[LockedArtifact]) -> list[Path]:
        """Fetch what is missing; return the paths of all jars.

        Raises:
            PrivateNeo4jError: a jar cannot be had, naming it and the remedies.
        """
        if self.missing(artifacts):
            with (
                disk_errors(self._root, "fetch Neo4j"),
                hold_lock(self._root / "fetch.lock", self._report, "fetching Neo4j"),
            ):
                wanted = self.missing(artifacts)  # another process may have fetched them
                if wanted:
                    self._fetch_all(wanted)
        return [self.path(a) for a in artifacts]

    def _fetch_all(self, wanted: Sequence[LockedArtifact]) -> None:
        total = sum(a.size for a in wanted)
        free = shutil.disk_usage(self._root).free
        if free < total:
            raise PrivateNeo4jError(
                f"Neo4j's jars need {_mb(total)} in {self._root}, where only {_mb(free)} are free.",
                "Free some space, or choose another folder with EGCFOREST_CACHE_DIR.",
            )
        self._report(f"Fetching Neo4j once: {len(wanted)} jars, {_mb(total)}, into {self._root}.")
        self._progress.begin("Fetching Neo4j", total)
        stop = threading.Event()
        for leftover in self._root.glob("partial-*"):  # of a fetch that was killed
            shutil.rmtree(leftover, ignore_errors=True)
        staging = Path(tempfile.mkdtemp(prefix="partial-", dir=self._root))
        pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="fetch-neo4j")
        try:
            for done in [pool.submit(self._fetch, a, staging, stop) for a in wanted]:
                done.result()
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
            shutil.rmtree(staging, ignore_errors=True)
            self._progress.end()

    def _fetch(self, artifact: LockedArtifact, staging: Path, stop: threading.Event) -> None:
        if stop.is_set():
            return
        folder = self._source.offline_dir
        found = (
            self._copy(artifact, folder, staging)
            if folder
            else self._download(artifact, staging, stop)
        )
        target = self.path(artifact)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(found, target)

    def _copy(self, artifact: LockedArtifact, folder: Path, staging: Path) -> Path:
        for candidate in (folder / artifact.maven_path, folder / artifact.file_name):
            if candidate.is_file():
                break
        else:
            raise PrivateNeo4jError(
                f"The artifact folder {folder} does not hold {artifact.coordinates}, neither as "
                f"{artifact.file_name} nor as {artifact.maven_path}.",
                "Copy the jar there; `egcforest neo4j artifacts` lists what is needed.",
            )
        copy = staging / f"{artifact.sha256}.jar"
        shutil.copyfile(candidate, copy)
        if _sha256(copy) != artifact.sha256:
            raise PrivateNeo4jError(
                f"The checksum of {candidate} is not the one locked for {artifact.coordinates}.",
                "Replace the file with the original jar.",
            )
        self._progress.advance(artifact.size)
        return copy

    def _download(self, artifact: LockedArtifact, staging: Path, stop: threading.Event) -> Path:
        for attempt in range(_TRIES):
            last = attempt == _TRIES - 1
            received = _Received(self._progress, stop)
            try:
                path = self._download_once(artifact, staging / str(attempt), received)
                if _sha256(path) == artifact.sha256:
                    received.settle(artifact.size)
                    return path
                problem = PrivateNeo4jError(
                    f"What {self._where()} sent as {artifact.coordinates} has another checksum "
                    "than the one locked.",
                    "Something on the way changed the file, or the mirror holds another one: "
                    + REMEDIES,
                )
            except _FetchStoppedError:
                raise
            except RuntimeError as error:  # jgo: no repository answered with 200
                problem = PrivateNeo4jError(
                    f"{artifact.coordinates} was not handed out by {self._where()}.", REMEDIES
                )
                problem.__cause__ = error
                last = True
            except _connection_errors() as error:
                problem = PrivateNeo4jError(
                    f"{artifact.coordinates} could not be fetched from {self._where()} "
                    f"({type(error).__name__}).",
                    REMEDIES,
                )
                problem.__cause__ = error
            received.settle(0)
            if last or stop.wait(PAUSE_S * 2.0**attempt):
                raise problem
        raise AssertionError("unreachable")  # pragma: no cover

    def _download_once(
        self, artifact: LockedArtifact, repository: Path, received: _Received
    ) -> Path:
        from jgo.maven import MavenContext, PythonResolver

        mirror = self._source.mirror
        context = MavenContext(
            resolver=PythonResolver(progress_callback=received.callback),
            repo_cache=repository,
            remote_repos={"mirror": mirror.rstrip("/")} if mirror else None,
            timeout=_TIMEOUT_S,
        )
        component = context.project(artifact.group, artifact.name).at_version(artifact.version)
        return component.artifact(artifact.classifier, "jar").resolve()

    def _where(self) -> str:
        mirror = self._source.mirror
        if not mirror:
            return "the default Maven repository"
        return f"the mirror {_USER_INFO.sub('//', mirror)}"


class _FetchStoppedError(Exception):
    """Another thread failed, or the user interrupted: this download ends."""


class _Received:
    """Counts what one try of one download has told the progress bar."""

    def __init__(self, progress: Progress, stop: threading.Event) -> None:
        self._progress = progress
        self._stop = stop
        self._bytes = 0

    @contextmanager
    def callback(self, name: str, size: int) -> Iterator[_Received]:
        yield self

    def __call__(self, count: int) -> None:
        if self._stop.is_set():
            raise _FetchStoppedError
        self._bytes += count
        self._progress.advance(count)

    def settle(self, size: int) -> None:
        """Correct the bar to `size` bytes for this download."""
        if size != self._bytes:
            self._progress.advance(size - self._bytes)
            self._bytes = size


def _connection_errors() -> tuple[type[Exception], ...]:
    import requests

    return (requests.RequestException,)


def _has_size(path: Path, size: int) -> bool:
    try:
        return path.stat().st_size == size
    except OSError:
        return False


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _mb(size: int) -> str:
    return f"{size / 1e6:.0f} MB"
