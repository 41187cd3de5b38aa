from __future__ import annotations

import json
from pathlib import Path

import pytest

from egcforest.graph.private.diagnosis import (
    broken_database_failure,
    log_tail,
    lost_its_port,
    start_failure,
)
from egcforest.graph.private.layout import Layout


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        ("java.io.IOException: No space left on device", "The disk that holds /home is full"),
        (
            "FileLockException: Lock file has been locked by another process: /home/data/x",
            "Another Neo4j, perhaps on another machine, uses the store in /home.",
        ),
        (
            "Caused by: java.lang.IllegalArgumentException: Unknown store version 'zz-1.9'",
            "Neo4j 1.2 cannot read the store in /home: a newer one wrote it, or it is damaged.",
        ),
        (
            "Can not read store version of database neo4j",
            "Neo4j 1.2 cannot read the store in /home",
        ),
        (
            "'a' is of a newer version than the current binaries. Downgrade is not supported.",
            "Neo4j 1.2 cannot read the store in /home",
        ),
        (
            "Error occurred during initialization of VM\nCould not reserve enough space for heap",
            "There is too little memory for Neo4j.",
        ),
        (
            "java.nio.file.AccessDeniedException: /home/data",
            "Neo4j may not read or write its files",
        ),
        (
            "ERROR Failed\nException in thread x\n\tat a.b(C.java:1)\n"
            "Caused by: org.neo4j.SomeException: the cause.\n\tat d.e(F.java:2)\n\t... 7 more\n",
            "Neo4j ended while it started: the cause. See `egcforest neo4j logs`",
        ),
        (
            "Unrecognized setting. No declared setting with name: x.y.\n"
            "Run with '--verbose' for a more detailed error message.\n",
            "Neo4j ended while it started: Unrecognized setting. No declared setting with name",
        ),
        ("", "Neo4j ended while it started: it printed nothing."),
    ],
)
def test_what_was_printed_becomes_a_sentence(printed: str, sentence: str) -> None:
    assert str(start_failure(Layout(Path("/home")), "1.2", printed)).startswith(sentence)


def test_a_lost_port_is_noticed(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    assert not lost_its_port(layout)
    layout.logs_dir.mkdir()
    layout.console_log.write_text("Caused by: java.net.BindException: Address already in use\n")
    assert lost_its_port(layout)


def test_the_tail_is_the_last_lines_even_of_broken_text(tmp_path: Path) -> None:
    path = tmp_path / "log"
    assert log_tail(path, 3) == ""
    path.write_bytes(b"one\ntwo\xff\nthree\n")
    assert log_tail(path, 2) == "two\ufffd\nthree\n"


def test_the_reason_of_a_broken_database_comes_from_the_debug_log(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    assert "Unable to start it." in str(
        broken_database_failure(layout, "1.2", "Unable to start it")
    )
    layout.logs_dir.mkdir()
    trace = "x.Exception: a\n\tat b.c(D.java:1)\nCaused by: x.Exception: the store is odd"
    record = {"message": "Failed to start DatabaseId{1[neo4j]}", "stacktrace": trace}
    layout.debug_log.write_text(f"{json.dumps(record)}\n{{}}\n")
    message = str(broken_database_failure(layout, "1.2", "Unable to start it"))
    assert message.startswith("Neo4j ended while it started: the store is odd.")


def test_how_the_process_ended_and_what_it_printed_are_told(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    silent = start_failure(layout, "1.2", ending="ended by SIGKILL")
    assert silent.message == (
        "Neo4j ended while it started (ended by SIGKILL): it printed nothing."
    )
    assert not hasattr(silent, "__notes__")
    printed = "\n".join(f"line {number}" for number in range(100))
    wordy = start_failure(layout, "1.2", printed, ending="exit code 1")
    assert wordy.message == "Neo4j ended while it started (exit code 1): line 99."
    (note,) = wordy.__notes__
    assert note.splitlines()[0] == "It printed:"
    assert note.splitlines()[1:] == [f"line {number}" for number in range(80, 100)]
