from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from egcforest.graph.errors import PrivateNeo4jError
from egcforest.graph.private.layout import Layout
from egcforest.graph.private.state import (
    ServerState,
    ensure_password,
    read_password,
    read_state,
    write_state,
)
from egcforest.graph.private.storage import private_folder, write_private

posix = pytest.mark.skipif(sys.platform == "win32", reason="file modes")


def test_the_state_survives_a_round_trip(tmp_path: Path) -> None:
    state = ServerState(7001, 7002, 42, True, "2026.07.1", "2026.07.1")
    write_state(Layout(tmp_path), state)
    assert read_state(Layout(tmp_path)) == state


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": "42"}', '{"bolt_port": null}', "\x00"])
def test_a_damaged_state_is_an_empty_one(tmp_path: Path, text: str) -> None:
    layout = Layout(tmp_path)
    layout.state_file.write_text(text)
    assert read_state(layout) == ServerState()


def test_fields_of_other_releases_are_ignored(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.state_file.write_text('{"pid": 5, "created": 3, "colour": "blue"}')
    assert read_state(layout) == ServerState(pid=5)


@posix
def test_password_and_folder_are_this_users_alone(tmp_path: Path) -> None:
    layout = Layout(private_folder(tmp_path / "home"))
    password = ensure_password(layout)
    # An initial "-" would make the administration tool take it for an option.
    assert re.fullmatch("[0-9a-f]{48}", password)
    assert ensure_password(layout) == password
    assert layout.password_file.stat().st_mode & 0o777 == 0o600
    assert layout.home.stat().st_mode & 0o777 == 0o700
    layout.password_file.chmod(0o644)
    layout.home.chmod(0o755)
    assert read_password(layout) == password
    assert private_folder(layout.home).stat().st_mode & 0o777 == 0o700
    assert layout.password_file.stat().st_mode & 0o777 == 0o600


def test_a_lost_password_of_a_used_store_is_not_made_up(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.system_database.mkdir(parents=True)
    with pytest.raises(PrivateNeo4jError, match="password of the private Neo4j is missing"):
        ensure_password(layout)


def test_a_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_private(path, "old")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(OSError, match="full"):
        write_private(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
