from __future__ import annotations

import platform
import sys

import pytest

from egcforest.graph.errors import PrivateNeo4jError
from egcforest.graph.private import artifacts
from egcforest.graph.private.artifacts import ANY_SYSTEM, LOCK_FILE, locked_artifacts, parse_lock

SYSTEMS = ("linux-x86_64", "linux-aarch64", "macos-x86_64", "macos-aarch64", "windows-x86_64")
SHA256 = "0" * 64


def test_the_lock_holds_server_and_browser_without_addresses() -> None:
    names = {a.name for a in locked_artifacts()}
    assert {"neo4j", "neo4j-browser", "neo4j-bolt"} <= names
    assert "://" not in LOCK_FILE.read_text(encoding="utf-8")
    assert all(len(a.sha256) == 64 and a.size > 0 for a in locked_artifacts())


def test_artifacts_of_the_lock_are_distinct_even_in_a_flat_folder() -> None:
    files = [a.file_name for a in locked_artifacts()]
    assert len(files) == len(set(files))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_gets_its_own_natives_only(system: str) -> None:
    natives = {a.system for a in artifacts.artifacts_for(system)} - {ANY_SYSTEM}
    assert natives <= {system}


def test_lines_survive_a_round_trip() -> None:
    text = "\n".join(a.line() for a in locked_artifacts())
    assert parse_lock(f"# comment\n\n{text}\n") == locked_artifacts()


@pytest.mark.parametrize(
    "line", ["org.example:a:1", "org.example:a 0 1 -", f"g:a:1:c:x {SHA256} 1 -", "g:a:1 0 big -"]
)
def test_a_damaged_line_is_named(line: str) -> None:
    with pytest.raises(PrivateNeo4jError, match=r"Line 2 of neo4j\.lock"):
        parse_lock(f"g:a:1 {SHA256} 1 -\n{line}\n")


def test_paths_follow_the_maven_layout() -> None:
    (artifact,) = parse_lock(f"org.example.sub:thing:1.2:osx {SHA256} 7 macos-x86_64")
    assert str(artifact.maven_path) == "org/example/sub/thing/1.2/thing-1.2-osx.jar"
    assert artifact.coordinates == "org.example.sub:thing:1.2:osx"


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("darwin", "arm64", "macos-aarch64"),
        ("win32", "AMD64", "windows-x86_64"),
        ("linux", "x86_64", "linux-x86_64"),
        ("linux", "aarch64", "linux-aarch64"),
    ],
)
def test_this_machine_has_the_name_the_lock_uses(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, name: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    assert artifacts.this_system() == name
    assert name in SYSTEMS
