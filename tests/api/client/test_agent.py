"""The example of an agent, in a process of its own, over real HTTP."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.api.client.misbehaving import Misbehaving, reply
from tests.api.serving import Api

ROOT = Path(__file__).resolve().parents[3]
QUESTION = "What happened in INC-37?"
CITED = re.compile(r"^\[1\] 2026-\d\d-\d\d", re.MULTILINE)


def agent(url: str, token: str, question: str = QUESTION, **variables: str) -> str:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("EGCFOREST_", "OPENAI_"))}
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "agent.py"), question],
        env=kept | {"EGCFOREST_URL": url, "EGCFOREST_TOKEN": token} | variables,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def said(**message: Any) -> Any:
    return reply(body={"choices": [{"message": {"role": "assistant", **message}}]})


def call(arguments: str) -> Any:
    return {
        "id": "1",
        "type": "function",
        "function": {"name": "search_chat", "arguments": arguments},
    }


def test_without_a_model_it_prints_the_evidence(api: Api, reader: str) -> None:
    assert CITED.search(agent(api.url, reader))


def test_a_model_asks_the_tool_and_answers(api: Api, reader: str, misbehaving: Misbehaving) -> None:
    asked = {"question": QUESTION, "items": 3, "since": "2026-03-01", "until": "2026-06-30"}
    misbehaving.script = [
        said(content=None, tool_calls=[call("{"), call('{"question": "x", "items": 1000}')]),
        said(content=None, tool_calls=[call(json.dumps(asked))]),
        said(content="A queue ran over [1]."),
    ]
    model = {"OPENAI_BASE_URL": f"{misbehaving.url}/v1", "OPENAI_MODEL": "m", "OPENAI_API_KEY": "k"}
    assert agent(api.url, reader, **model) == "A queue ran over [1].\n"
    first, second, third = (one.json for one in misbehaving.received)
    assert first["tools"][0]["function"]["name"] == "search_chat"
    wrong, too_many = (one["content"] for one in second["messages"][-2:])
    assert "do not fit the schema" in wrong
    assert "failed" in too_many
    assert CITED.search(third["messages"][-1]["content"])


def test_a_service_that_refuses_is_told_of(api: Api) -> None:
    assert "token create" in agent(api.url, "wrong")
