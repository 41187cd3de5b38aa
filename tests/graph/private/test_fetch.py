from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from egcforest.graph.errors import PrivateNeo4jError
from egcforest.graph.private import fetch
from egcforest.graph.private.artifacts import (
    LockedArtifact,
    artifacts_for,
    locked_artifacts,
    this_system,
)
from egcforest.graph.private.fetch import ArtifactCache, ArtifactSource
from tests.graph.private.conftest import MavenRepository
from tests.neo4j_server import test_cache_dir


class CountingProgress:
    def __init__(self) -> None:
        self.total = self.received = 0
        self.ended = False

    def begin(self, description: str, total_bytes: int) -> None:
        self.total = total_bytes

    def advance(self, received_bytes: int) -> None:
        self.received += received_bytes

    def end(self) -> None:
        self.ended = True


def test_a_mirror_fills_the_cache_once(
    tmp_path: Path, repository: MavenRepository, jars: list[LockedArtifact]
) -> None:
    progress, told = CountingProgress(), list[str]()
    source = ArtifactSource(mirror=repository.url + "/")
    cache = ArtifactCache(tmp_path / "cache", source, report=told.append, progress=progress)
    paths = cache.ensure(jars)
    assert [p.stat().st_size for p in paths] == [a.size for a in jars]
    assert cache.ensure(jars) == paths
    assert len(repository.requested) == len(jars)
    assert progress.received == progress.total == sum(a.size for a in jars)
    assert progress.ended
    assert told == [f"Fetching Neo4j once: 12 jars, 0 MB, into {tmp_path / 'cache'}."]
    assert sorted(p.name for p in (tmp_path / "cache").iterdir()) == ["fetch.lock", "maven"]


def test_a_jar_the_mirror_lacks_is_named(
    tmp_path: Path, repository: MavenRepository, jars: list[LockedArtifact]
) -> None:
    (repository.root / jars[3].maven_path).unlink()
    cache = ArtifactCache(tmp_path / "cache", ArtifactSource(mirror=repository.url))
    with pytest.raises(PrivateNeo4jError) as caught:
        cache.ensure(jars)
    assert "org.example:part3:1.0 was not handed out by the mirror" in str(caught.value)
    assert "EGCFOREST_ARTIFACTS_DIR" in str(caught.value)


def test_a_wrong_checksum_is_named_and_never_cached(
    tmp_path: Path, repository: MavenRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "PAUSE_S", 0.0)
    bad = repository.add("bad", b"expected", sent=b"tampered")
    cache = ArtifactCache(tmp_path / "cache", ArtifactSource(mirror=repository.url))
    with pytest.raises(PrivateNeo4jError, match=r"org\.example:bad:1\.0 has another checksum"):
        cache.ensure([bad])
    assert not cache.path(bad).exists()
    assert len(repository.requested) == 3


def test_an_unreachable_mirror_leaves_a_sentence_with_remedies(
    tmp_path: Path, jars: list[LockedArtifact], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "PAUSE_S", 0.0)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        mirror = f"http://me:secret@127.0.0.1:{unused.getsockname()[1]}"
        cache = ArtifactCache(tmp_path / "cache", ArtifactSource(mirror=mirror))
        with pytest.raises(PrivateNeo4jError) as caught:
            cache.ensure(jars)
    message = str(caught.value)
    assert message.startswith("org.example:part")
    assert "could not be fetched from the mirror http://127.0.0.1:" in message
    assert "secret" not in message
    for remedy in ("EGCFOREST_MAVEN_MIRROR", "EGCFOREST_ARTIFACTS_DIR", "EGCFOREST_NEO4J_URI"):
        assert remedy in message


def test_no_network_at_all_leaves_the_same_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "PAUSE_S", 0.0)
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    cache = ArtifactCache(tmp_path / "cache", ArtifactSource())
    with pytest.raises(PrivateNeo4jError, match="could not be fetched from the default Maven"):
        cache.ensure(locked_artifacts()[:1])


def test_a_fetch_cut_off_goes_on_where_it_was(
    tmp_path: Path, repository: MavenRepository, jars: list[LockedArtifact]
) -> None:
    repository.refuse_after = 5
    cache = ArtifactCache(tmp_path / "cache", ArtifactSource(mirror=repository.url))
    with pytest.raises(PrivateNeo4jError):
        cache.ensure(jars)
    left = len(cache.missing(jars))
    assert 7 <= left < 12
    (tmp_path / "cache" / "partial-killed").mkdir()
    repository.refuse_after = None
    repository.requested.clear()
    cache.ensure(jars)
    assert len(repository.requested) == left
    assert not list((tmp_path / "cache").glob("partial-*"))


def test_a_truncated_jar_is_fetched_again_at_the_next_start(
    tmp_path: Path, repository: MavenRepository, jars: list[LockedArtifact]
) -> None:
    cache = ArtifactCache(tmp_path / "cache", ArtifactSource(mirror=repository.url))
    cache.ensure(jars)
    cache.path(jars[2]).write_bytes(b"cut")
    repository.requested.clear()
    cache.ensure(jars)
    assert len(repository.requested) == 1
    assert cache.corrupted(jars) == []


def test_a_jar_with_other_bytes_is_found_by_hashing(
    tmp_path: Path, repository: MavenRepository, jars: list[LockedArtifact]
) -> None:
    cache = ArtifactCache(tmp_path / "cache", ArtifactSource(mirror=repository.url))
    cache.ensure(jars)
    cache.path(jars[4]).write_bytes(b"x" * jars[4].size)
    assert cache.missing(jars) == []
    assert cache.corrupted(jars) == [jars[4]]
    cache.discard([jars[4]])
    cache.ensure(jars)
    assert cache.corrupted(jars) == []


@pytest.mark.parametrize("flat", [True, False])
def test_an_offline_folder_serves_flat_or_in_maven_layout(
    tmp_path: Path, repository: MavenRepository, jars: list[LockedArtifact], flat: bool
) -> None:
    folder = repository.root
    if flat:
        folder = tmp_path / "flat"
        folder.mkdir()
        for artifact in jars:
            shutil.copy(repository.root / artifact.maven_path, folder / artifact.file_name)
    cache = ArtifactCache(tmp_path / "cache", ArtifactSource(offline_dir=folder))
    cache.ensure(jars)
    assert cache.corrupted(jars) == []
    assert repository.requested == []


def test_an_offline_folder_without_a_jar_or_with_a_damaged_one_is_named(
    tmp_path: Path, repository: MavenRepository, jars: list[LockedArtifact]
) -> None:
    cache = ArtifactCache(tmp_path / "cache", ArtifactSource(offline_dir=repository.root))
    path = repository.root / jars[0].maven_path
    path.write_bytes(b"damaged")
    with pytest.raises(PrivateNeo4jError, match=r"checksum of .*part0-1\.0\.jar is not the one"):
        cache.ensure(jars)
    path.unlink()
    with pytest.raises(PrivateNeo4jError, match=r"does not hold org\.example:part0:1\.0"):
        cache.ensure(jars)


_FETCH = """
import sys
from pathlib import Path
from egcforest.graph.private.artifacts import parse_lock
from egcforest.graph.private.fetch import ArtifactCache, ArtifactSource
root, url, lock = sys.argv[1:]
ArtifactCache(Path(root), ArtifactSource(mirror=url)).ensure(parse_lock(lock))
"""


def test_two_processes_fetch_each_jar_once(
    tmp_path: Path, repository: MavenRepository, jars: list[LockedArtifact]
) -> None:
    lock = "\n".join(a.line() for a in jars)
    command = [sys.executable, "-c", _FETCH, str(tmp_path / "cache"), repository.url, lock]
    processes = [subprocess.Popen(command) for _ in range(2)]
    assert [p.wait(60) for p in processes] == [0, 0]
    assert len(repository.requested) == len(jars)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte. Needs the right to mount; the test below says so if it lacks."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a full disk can be made only by root on Linux")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_too_small_is_named_before_anything_is_fetched(
    small_disk: Path, repository: MavenRepository
) -> None:
    big = repository.add("big", os.urandom(2_000_000))
    cache = ArtifactCache(small_disk / "cache", ArtifactSource(mirror=repository.url))
    with pytest.raises(PrivateNeo4jError, match=r"need 2 MB in .* only 1 MB are free"):
        cache.ensure([big])
    assert repository.requested == []


def test_a_disk_that_fills_up_during_the_fetch_is_named(
    small_disk: Path, repository: MavenRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    big = [repository.add(f"big{n}", os.urandom(800_000)) for n in range(2)]
    usage = shutil.disk_usage(repository.root)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)  # it was free when asked
    cache = ArtifactCache(small_disk / "cache", ArtifactSource(mirror=repository.url))
    with pytest.raises(PrivateNeo4jError, match=r"disk that holds .* is full.*EGCFOREST_CACHE_DIR"):
        cache.ensure(big)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_cache_that_is_not_writable_is_named(
    tmp_path: Path, repository: MavenRepository, jars: list[LockedArtifact]
) -> None:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o500)
    with pytest.raises(PrivateNeo4jError, match="is not writable"):
        ArtifactCache(folder, ArtifactSource(mirror=repository.url)).ensure(jars)


def test_the_whole_lock_comes_from_a_mirror(tmp_path: Path) -> None:
    """The user's own cache is a Maven repository: serve it and fetch all of Neo4j from it."""
    wanted = artifacts_for(this_system())
    ArtifactCache(test_cache_dir(), ArtifactSource()).ensure(wanted)
    repository = MavenRepository(test_cache_dir() / "maven")
    try:
        cache = ArtifactCache(tmp_path / "cache", ArtifactSource(mirror=repository.url))
        cache.ensure(wanted)
    finally:
        repository.close()
    assert cache.corrupted(wanted) == []
    assert len(repository.requested) == len(wanted)
