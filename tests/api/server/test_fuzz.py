"""Drawn documents, as several people: no crash, no hang, and nothing of another audience."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from egcforest.api.graphql.schema import build_schema
from egcforest.graph.connection import open_driver
from tests.api.conftest import ROOT
from tests.api.server.fuzzing import Drawing
from tests.api.serving import Api

CHECKS = Path(__file__).with_name("schemathesis_checks.py")
OPERATIONS = 120
LONGEST_S = 20.0
PEOPLE = (None, "U07A1PMAR3", "U07A2STOB1")
# Too short to be told from what everybody may say.
SHORTEST = 25


@dataclass(frozen=True, slots=True)
class Hidden:
    """What one person must not see, and what is worth asking for."""

    texts: tuple[str, ...]
    names: tuple[str, ...]
    keys: tuple[str, ...]


async def read(api: Api, cypher: str, **params: Any) -> list[Any]:
    driver = await open_driver(api.connection)
    async with driver, driver.session() as session:
        result = await session.run(cypher, params)
        return [record.values() async for record in result]


async def hidden_from(api: Api, actor: str | None) -> Hidden:
    """Texts, names and keys of the private channels and conversations of which `actor` is no
    member; read past the service, straight from the graph."""
    channels = await read(
        api,
        """
        MATCH (c:Channel {workspace: $workspace}) WHERE c.audience <> 'public'
        RETURN c.key, c.audience, c.name, [(a:Actor)-[:MEMBER_OF]->(c) | a.source_id]
        """,
        workspace=api.workspace,
    )
    hidden = [row for row in channels if actor not in row[3]]
    closed = {key: name for key, _, name, _ in hidden}
    messages = await read(
        api,
        "MATCH (m:Message)-[:IN]->(c:Channel) WHERE c.key IN $keys RETURN m.key, m.text",
        keys=list(closed),
    )
    nodes = await read(
        api,
        """
        MATCH (n:ForestNode {workspace: $workspace}) WHERE n.audience IN $audiences
        RETURN n.key, n.summary
        """,
        workspace=api.workspace,
        audiences=[audience for _, audience, _, _ in hidden],
    )
    texts = [text for _, text in (*messages, *nodes) if text and len(text) >= SHORTEST]
    return Hidden(
        tuple(dict.fromkeys(line for text in texts for line in pieces(text))),
        tuple(name for name in closed.values() if name),
        (*closed, *(key for key, _ in (*messages, *nodes))),
    )


def pieces(text: str) -> Iterator[str]:
    """The text as JSON would write it, and its long lines: a part of it is a leak too."""
    for line in text.splitlines():
        if len(line) >= SHORTEST and line.isascii() and '"' not in line and "\\" not in line:
            yield line


@pytest.mark.parametrize("actor", PEOPLE)
async def test_drawn_documents_do_no_harm_and_leak_nothing(api: Api, actor: str | None) -> None:
    hidden = await hidden_from(api, actor)
    assert len(hidden.texts) > 5, "without canaries this test would prove nothing"
    open_keys = await read(
        api,
        """
        MATCH (x:Channel|Actor|Artifact|Tree|ForestNode|Message)
        WHERE x.workspace = $workspace
        RETURN x.key ORDER BY rand() LIMIT 150
        """,
        workspace=api.workspace,
    )
    keys = [key for (key,) in open_keys] + list(hidden.keys[:150]) + ["no-such-key", ""]
    words = [*hidden.names, "the release", "buffer", *(text[:40] for text in hidden.texts[:40])]
    drawing = Drawing(build_schema().core, PEOPLE.index(actor), keys, words)
    reached = 0
    with api.client(api.token(actor)) as client:
        for number in range(OPERATIONS):
            document = drawing.broken() if number % 4 == 3 else drawing.valid()
            began = time.monotonic()
            answer = client.post("/graphql", json={"query": document})
            assert time.monotonic() - began < LONGEST_S, document
            assert answer.status_code in (200, 400), (answer.status_code, document)
            body = answer.json()
            codes = {error["extensions"]["code"] for error in body.get("errors", ())}
            assert "INTERNAL" not in codes, (document, body)
            reached += bool(body.get("data"))
            for text in hidden.texts:
                assert text not in answer.text or text in document, (text, document)
    assert reached > OPERATIONS / 8


def test_schemathesis_finds_no_server_error(api: Api, tmp_path: Path) -> None:
    executable = Path(sys.executable).with_name("schemathesis")
    done = subprocess.run(
        [
            str(executable),
            "run",
            str(ROOT / "docs" / "schema.graphql"),
            f"--url={api.url}/graphql",
            f"--header=Authorization: Bearer {api.token('maren.petersen')}",
            "--checks=no_crash",
            "--max-examples=15",
            "--max-time=30",
            "--generation-deterministic",
            "--suppress-health-check=all",
            "--no-color",
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONWARNINGS": "ignore", "SCHEMATHESIS_HOOKS": str(CHECKS)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
