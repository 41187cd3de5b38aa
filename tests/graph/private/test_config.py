from __future__ import annotations

import subprocess
from pathlib import Path

from egcforest.graph.private.config import (
    configured_ports,
    initial_password_arguments,
    neo4j_conf,
    server_arguments,
)
from egcforest.graph.private.java import find_java
from egcforest.graph.private.layout import Layout


def test_every_address_is_on_loopback() -> None:
    conf = neo4j_conf(21001, 21002, 128)
    addresses = [line for line in conf.splitlines() if "address=" in line]
    assert len(addresses) == 6
    assert all("=127.0.0.1" in line for line in addresses)
    assert "server.https.enabled=false" in conf
    assert "dbms.security.auth_enabled=true" in conf
    assert "server.memory.pagecache.size=128m" in conf
    assert configured_ports(conf) == (21001, 21002)
    assert configured_ports("server.bolt.listen_address=x\n") is None


def test_memory_and_folders_reach_java() -> None:
    arguments = server_arguments(Layout(Path("/home/a b")), [Path("/x/1.jar")], 512)
    assert '"-Xmx512m"' in arguments
    assert '"--home-dir=/home/a b"' in arguments


def test_java_reads_quoted_arguments_as_they_were(tmp_path: Path) -> None:
    """A folder with a space, a quote and a back slash; Java itself is the judge."""
    folder = tmp_path / 'a "b" \\c ü'
    folder.mkdir()
    text = initial_password_arguments([folder / "x.jar"], "secret")
    text = text[: text.index('"org.neo4j')] + '"-XshowSettings:properties"\n"-version"\n'
    file = tmp_path / "java.args"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [find_java(None), f"@{file}"], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert 'a "b" \\c' in done.stderr
