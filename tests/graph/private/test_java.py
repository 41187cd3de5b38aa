from __future__ import annotations

import sys
from pathlib import Path

import pytest

from egcforest.graph.errors import PrivateNeo4jError
from egcforest.graph.private.java import find_java

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stands in for Java by a script")


def _java(folder: Path, says: str) -> Path:
    path = folder / "bin" / "java"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    path.chmod(0o755)
    return path


def test_the_bundled_java_needs_nothing_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    bundled = find_java(None)
    assert bundled.is_file()
    assert find_java(bundled) == bundled  # new enough by the measure for configured ones


def test_a_configured_java_may_be_an_executable_or_its_home(tmp_path: Path) -> None:
    java = _java(tmp_path, 'openjdk version "21.0.1" 2023-10-17')
    assert find_java(java) == java
    assert find_java(tmp_path) == java


@pytest.mark.parametrize(
    ("says", "version"), [('openjdk version "17.0.9"', 17), ('java version "1.8.0_392"', 8)]
)
def test_too_old_a_java_is_named_with_its_version(tmp_path: Path, says: str, version: int) -> None:
    java = _java(tmp_path, says)
    with pytest.raises(PrivateNeo4jError, match=f"is Java {version}, but Neo4j needs Java 21"):
        find_java(java)


def test_no_java_and_something_else_are_named(tmp_path: Path) -> None:
    with pytest.raises(PrivateNeo4jError, match=r"no Java at .*gone.*EGCFOREST_JAVA"):
        find_java(tmp_path / "gone")
    with pytest.raises(PrivateNeo4jError, match="does not look like a Java"):
        find_java(_java(tmp_path, "hello"))
    text = tmp_path / "text"
    text.write_text("no program")
    with pytest.raises(PrivateNeo4jError, match="does not run"):
        find_java(text)
