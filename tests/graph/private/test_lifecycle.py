"""The life of real servers: started at once, killed, cut off, damaged, out of disk.

Each test has a server of its own, in a folder whose name has a space and an umlaut.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from neo4j import GraphDatabase

from egcforest.graph.errors import PrivateNeo4jError
from egcforest.graph.private import PrivateNeo4j, PrivateNeo4jOptions, ServerInfo
from egcforest.graph.private import artifacts as locked
from egcforest.graph.private.process import find_server
from tests.neo4j_server import test_cache_dir

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform == "win32", reason="signals and file modes"),
]

STARTER = """
import sys
from pathlib import Path
from egcforest.graph.private import PrivateNeo4j, PrivateNeo4jOptions
home, cache = map(Path, sys.argv[1:])
options = PrivateNeo4jOptions(home, cache, heap_mib=512, start_timeout_s=240)
info = PrivateNeo4j(options, report=lambda s: print(s, file=sys.stderr, flush=True)).start()
print(info.pid, info.started_now)
"""


@dataclass
class Own:
    """A private Neo4j of one test."""

    home: Path
    told: list[str]
    neo4j: PrivateNeo4j

    def starter(self) -> subprocess.Popen[str]:
        """Another process that starts it."""
        command = [sys.executable, "-c", STARTER, str(self.home), str(test_cache_dir())]
        bare = {**os.environ, "PATH": "/nowhere"}  # no java, mvn or docker to be found
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=bare
        )

    def state(self) -> dict[str, object]:
        return dict(json.loads((self.home / "state.json").read_text()))

    def kill_server(self) -> None:
        found = find_server(self.home / "server.args")
        assert found is not None
        process = psutil.Process(found)
        process.kill()
        process.wait(20)  # until its ports are free again


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Own]:
    home = tmp_path / "privates Neo4j ü"
    told: list[str] = []
    options = PrivateNeo4jOptions(home, test_cache_dir(), heap_mib=512, start_timeout_s=240)
    server = Own(home, told, PrivateNeo4j(options, report=told.append))
    yield server
    server.neo4j.stop()
    assert find_server(home / "server.args") is None


def query(info: ServerInfo, text: str) -> list[object]:
    with GraphDatabase.driver(info.bolt_uri, auth=(info.user, info.password)) as driver:
        return [record.value() for record in driver.execute_query(text).records]  # type: ignore[arg-type]


def test_two_processes_start_one_server_that_outlives_them(own: Own) -> None:
    starters = [own.starter() for _ in range(2)]
    outputs = [starter.communicate(timeout=300) for starter in starters]
    assert [s.returncode for s in starters] == [0, 0], outputs
    answers = [out.split() for out, _ in outputs]
    assert answers[0][0] == answers[1][0]
    assert sorted(a[1] for a in answers) == ["False", "True"]
    told = "".join(err for _, err in outputs)
    assert "Another process is starting or stopping Neo4j; waiting for it." in told
    assert told.count("It stays up until `egcforest neo4j stop`.") == 1

    info = own.neo4j.status()
    assert info is not None
    assert own.neo4j.start() == info  # the fast way: not started now
    assert query(info, "RETURN 1") == [1]
    assert info.password not in repr(info)

    process = psutil.Process(info.pid)
    listening = [c.laddr for c in process.net_connections() if c.status == psutil.CONN_LISTEN]
    assert listening
    assert {address.ip for address in listening} <= {"127.0.0.1", "::ffff:127.0.0.1"}
    assert info.password not in " ".join(process.cmdline())
    assert not (own.home / "admin.args").exists()
    assert own.home.stat().st_mode & 0o777 == 0o700
    assert (own.home / "password").stat().st_mode & 0o777 == 0o600
    readable = [p for p in own.home.rglob("*") if p.is_file() and p.stat().st_mode & 0o077]
    assert readable == []

    with urllib.request.urlopen(f"{info.http_url}/browser/") as page:
        assert "Neo4j Browser" in page.read().decode()
    assert own.neo4j.browser_url("MATCH (n) RETURN n").endswith(
        f"?connectURL={info.bolt_uri.replace('bolt://', 'bolt://neo4j@')}"
        "&cmd=edit&arg=MATCH%20%28n%29%20RETURN%20n"
    )
    assert "Started." in own.neo4j.log_tail()
    assert 0 < own.neo4j.store_size_bytes() < 20_000_000  # not half a gigabyte

    assert own.neo4j.stop()
    assert own.neo4j.status() is None
    assert not own.neo4j.stop()


def test_killed_and_its_port_taken_it_comes_back_with_its_data(own: Own) -> None:
    first = own.neo4j.start()
    query(first, "CREATE (:Kept {n: 7})")
    own.kill_server()
    assert own.neo4j.status() is None
    port = int(first.bolt_uri.rpartition(":")[2])
    with socket.create_server(("127.0.0.1", port)):
        second = own.neo4j.start()
    assert second.started_now
    assert second.bolt_uri != first.bolt_uri
    assert second.http_url == first.http_url  # still free, so it stayed
    assert query(second, "MATCH (k:Kept) RETURN k.n") == [7]

    # The state is lost while the server runs: it is found again, not started twice.
    (own.home / "state.json").write_text("{")
    third = own.neo4j.start()
    assert (third.pid, third.bolt_uri, third.started_now) == (second.pid, second.bolt_uri, False)


def test_a_password_that_looks_like_an_option_is_one_all_the_same(own: Own) -> None:
    # One in 64 of the passwords that a former release made began so.
    own.home.mkdir(mode=0o700)
    (own.home / "password").write_text("-help-1234\n")
    assert query(own.neo4j.start(), "RETURN 1") == [1]


def test_a_stale_state_with_a_pid_somebody_else_has_is_no_server(own: Own) -> None:
    own.home.mkdir()
    state = {"pid": os.getpid(), "ready": True, "bolt_port": 20001}
    (own.home / "state.json").write_text(json.dumps(state))
    assert own.neo4j.status() is None
    assert not own.neo4j.stop()


def test_a_store_of_a_newer_neo4j_is_refused_before_anything_runs(own: Own) -> None:
    own.home.mkdir()
    (own.home / "state.json").write_text(json.dumps({"store_version": "2031.01.0"}))
    with pytest.raises(PrivateNeo4jError) as caught:
        own.neo4j.start()
    assert "was written by Neo4j 2031.01.0, which is newer" in str(caught.value)
    assert locked.server_version() in str(caught.value)
    assert "Upgrade egcforest" in str(caught.value)
    assert find_server(own.home / "server.args") is None


def test_a_wrong_password_and_an_unreadable_store_end_in_a_sentence(own: Own) -> None:
    own.neo4j.start()
    own.neo4j.stop()
    right = (own.home / "password").read_text()
    (own.home / "password").write_text("guessed")
    with pytest.raises(PrivateNeo4jError, match=r"does not accept the password in .*password"):
        own.neo4j.start()
    assert find_server(own.home / "server.args") is None
    assert (own.home / "data" / "databases" / "system").is_dir(), "nothing is cleared"
    (own.home / "password").write_text(right)

    for store in (own.home / "data" / "databases").glob("neo4j/neostore"):
        store.write_bytes(os.urandom(store.stat().st_size))
    with pytest.raises(PrivateNeo4jError, match=r"cannot read the store in .*Upgrade egcforest"):
        own.neo4j.start()
    assert find_server(own.home / "server.args") is None


def _wait_for(path: Path, starter: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 200
    while not path.exists():
        assert starter.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("reached", ["admin.args", "data/databases/system"])
def test_a_first_start_cut_off_by_kill_is_made_good_by_the_next(own: Own, reached: str) -> None:
    starter = own.starter()
    _wait_for(own.home / reached, starter)
    starter.kill()
    starter.communicate()
    if reached != "admin.args":
        own.kill_server()
    info = own.neo4j.start()
    assert query(info, "RETURN 1") == [1]
    assert not (own.home / "admin.args").exists()


def test_an_interrupted_start_leaves_no_server_behind(own: Own) -> None:
    starter = own.starter()
    _wait_for(own.home / "logs" / "console.log", starter)
    starter.send_signal(signal.SIGINT)
    _, error = starter.communicate(timeout=200)
    assert "KeyboardInterrupt" in error
    assert find_server(own.home / "server.args") is None
    assert own.state()["pid"] == 0


def test_a_starter_that_died_leaves_a_server_that_is_adopted(own: Own) -> None:
    starter = own.starter()
    _wait_for(own.home / "logs" / "console.log", starter)
    while find_server(own.home / "server.args") is None:
        time.sleep(0.01)
    starter.kill()
    starter.communicate()
    running = find_server(own.home / "server.args")
    assert running is not None
    info = own.neo4j.start()
    assert info.pid == running
    assert query(info, "RETURN 1") == [1]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 80 MiB. Needs the right to mount; the tests say so if it lacks."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=80m", "tmpfs", str(folder)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a full disk can be made only by root on Linux")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def _fill(disk: Path) -> None:
    """Take all space there is."""
    with (disk / "filler").open("ab", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(bytes(2**16))


def test_a_full_disk_is_named_and_nothing_started(small_disk: Path) -> None:
    home = small_disk / "home"
    home.mkdir()
    _fill(small_disk)
    with pytest.raises(PrivateNeo4jError, match=r"disk that holds .* is full.*Free some space"):
        PrivateNeo4j(PrivateNeo4jOptions(home, test_cache_dir())).start()
    assert find_server(home / "server.args") is None


def test_a_disk_that_fills_up_during_the_start_is_named(small_disk: Path) -> None:
    home = small_disk / "home"

    def fill_once_it_runs() -> None:
        while find_server(home / "server.args") is None:
            time.sleep(0.1)
        _fill(small_disk)

    threading.Thread(target=fill_once_it_runs, daemon=True).start()
    options = PrivateNeo4jOptions(home, test_cache_dir(), heap_mib=512, start_timeout_s=240)
    with pytest.raises(PrivateNeo4jError, match=r"disk that holds .* is full.*Free some space"):
        PrivateNeo4j(options).start()
    assert find_server(home / "server.args") is None


def test_a_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    options = PrivateNeo4jOptions(file / "home", test_cache_dir())
    with pytest.raises(PrivateNeo4jError, match="EGCFOREST_DATA_DIR"):
        PrivateNeo4j(options).start()


def test_a_damaged_jar_is_repaired(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    shutil.copytree(test_cache_dir() / "maven", cache / "maven", copy_function=os.link)
    jar = min(locked.artifacts_for(locked.this_system()), key=lambda a: a.size)
    path = cache / "maven" / jar.maven_path
    path.unlink()
    path.write_bytes(b"x" * jar.size)
    options = PrivateNeo4jOptions(tmp_path / "home", cache, offline_dir=test_cache_dir() / "maven")
    assert PrivateNeo4j(options).repair_cache() == [jar.coordinates]
    assert PrivateNeo4j(options).repair_cache() == []
