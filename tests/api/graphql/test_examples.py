"""What the README and the pages of docs/ show of GraphQL and of the client runs as it stands."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from graphql import (
    DocumentNode,
    OperationDefinitionNode,
    OperationType,
    is_non_null_type,
    parse,
    print_ast,
    type_from_ast,
)

from egcforest import ForestClient
from egcforest.api.access.principal import TokenScope
from egcforest.api.graphql.schema import build_schema
from egcforest.graph.store import ForestStore
from tests.api.graphql.conftest import HENRIKE
from tests.api.serving import Api, own_workspace

ROOT = Path(__file__).resolve().parents[3]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
BLOCK = re.compile(
    r"^ *```(?P<language>graphql|python)\n(?P<text>.+?)^ *```$"
    r"(?:\n+```json\n(?P<variables>.+?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
TOKEN = re.compile(r'(?<=")egcf_[^"]*(?=")')
ADDRESS = re.compile(r"https?://(?:127\.0\.0\.1|localhost):\d+")
QUESTION = "What caused INC-37?"
LAUNCH = "The launch was moved to May, because the ferry timetable changes."


@dataclass(frozen=True)
class Block:
    """A piece of a page, and the JSON that follows it at once."""

    place: str
    text: str
    variables: dict[str, Any]


def blocks(language: str) -> list[Block]:
    return [
        Block(
            f"{page.relative_to(ROOT)}-{number}",
            found["text"],
            json.loads(found["variables"]) if found["variables"] else {},
        )
        for page in PAGES
        for number, found in enumerate(BLOCK.finditer(page.read_text("utf-8")), 1)
        if found["language"] == language
    ]


def operation_of(document: DocumentNode) -> OperationDefinitionNode | None:
    found = (one for one in document.definitions if isinstance(one, OperationDefinitionNode))
    return next(found, None)


def given(block: Block, operation: OperationDefinitionNode) -> dict[str, Any]:
    """The variables of the page; where it has none, a text for what needs one."""
    for declared in operation.variable_definitions or ():
        name = declared.variable.name.value
        kind = type_from_ast(build_schema().core, declared.type)
        if is_non_null_type(kind) and declared.default_value is None:
            block.variables.setdefault(name, QUESTION)
    return block.variables


@pytest.fixture
async def own(api: Api, store: ForestStore) -> AsyncIterator[str]:
    """A token for everything in a workspace of the test's own."""
    async with own_workspace(store) as name:
        yield api.token(None, TokenScope.ADMIN, workspace=name)


@pytest.mark.parametrize("block", blocks("graphql"), ids=lambda block: block.place)
def test_graphql_runs(api: Api, own: str, block: Block) -> None:
    document = parse(block.text)
    operation = operation_of(document)
    if operation is None:
        assert print_ast(document).startswith("type ")  # a piece of a schema
        return
    writes = operation.operation is OperationType.MUTATION
    token = own if writes else api.token(HENRIKE)
    answer = api.query(block.text, token, **given(block, operation))
    codes = {error["extensions"]["code"] for error in answer.get("errors", ())}
    # Which model writes the answers is for the operator.
    assert codes <= {"NOT_CONFIGURED"}, answer
    if not codes:
        assert all(value is not None for value in answer["data"].values()), answer
    if writes:
        (job,) = answer["data"].values()
        assert job["state"] in ("QUEUED", "RUNNING", "DONE"), answer
        assert not job["rejections"], answer


def export() -> bytes:
    """A small export as Slack packs it."""
    files = {
        "channels.json": [{"id": "C1", "name": "harbour", "members": ["U1"]}],
        "users.json": [{"id": "U1", "name": "ana", "profile": {"real_name": "Ana Ruiz"}}],
        "harbour/2026-03-02.json": [
            {"type": "message", "user": "U1", "ts": "1772442000.000100", "text": "Good morning."}
        ],
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as package:
        for name, content in files.items():
            package.writestr(name, json.dumps(content))
    return packed.getvalue()


def test_python_runs(
    api: Api,
    own: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One block after another, with the names that the pages before them have explained."""
    found = blocks("python")
    assert {block.place.rpartition("-")[0] for block in found} >= {"README.md", "docs/client.md"}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EGCFOREST_URL", api.url)
    monkeypatch.setenv("EGCFOREST_TOKEN", own)
    names: dict[str, Any] = {"token": own, "ForestClient": ForestClient}
    for file in re.findall(r'"([^"\n]+\.zip)"', "".join(block.text for block in found)):
        Path(file).write_bytes(export())
    with ForestClient(api.url, own) as client:
        client.messages.append(
            [
                {
                    "channel": "launch",
                    "id": "1",
                    "time": "2026-03-01T09:00:00Z",
                    "author": "u7",
                    "text": LAUNCH,
                }
            ]
        )
        for block in found:
            names["client"] = client  # a block before may have closed its own
            text = TOKEN.sub(own, ADDRESS.sub(api.url, block.text))
            exec(compile(text, block.place, "exec"), names)
        said = capsys.readouterr().out
        (message,) = client.messages.of(client.tree("channel", "harbour").subject.id).all()
    assert said.count(LAUNCH) >= 3  # for the README, for the client's page, and found by words
    assert "DONE" in said
    assert message.text == "Good morning."
    assert names["job"].done
