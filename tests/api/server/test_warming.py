"""A service has asked a question before it says that it is ready, and starts without an answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from egcforest.api import asking
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.records import Scope
from egcforest.retrieval.answer import Answer
from egcforest.retrieval.pipeline import Retriever
from tests.api.serving import Api, serving

NAME = "{ workspace { name } }"


def test_each_workspace_has_been_asked_when_the_service_is_there(
    api: Api, connection: ConnectionConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Retriever.ask
    answered: list[str] = []

    async def noted(self: Retriever, question: str, scope: Scope) -> Answer:
        answer = await ask(self, question, scope)
        answered.append(scope.workspace)
        return answer

    monkeypatch.setattr(Retriever, "ask", noted)
    # However slow the machine is.
    monkeypatch.setattr(asking, "WARMING_S", 60.0)
    with serving(connection, api.workspace):
        assert api.workspace in answered
        assert len(answered) == len(set(answered))


def test_a_question_that_fails_does_not_keep_the_service_from_starting(
    api: Api,
    connection: ConnectionConfig,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fails(self: Retriever, *given: Any, **named: Any) -> Answer:
        raise LookupError("unforeseen")

    monkeypatch.setattr(Retriever, "ask", fails)
    with serving(connection, api.workspace) as running:
        assert running.query(NAME, running.token())["data"]["workspace"]
    (record,) = [one for one in caplog.records if one.name == "egcforest.questions"]
    assert record.exc_info is not None
    assert record.exc_info[0] is LookupError


def test_a_question_that_hangs_is_not_waited_for(
    api: Api, connection: ConnectionConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []

    async def hangs(self: Retriever, *given: Any, **named: Any) -> Answer:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        raise AssertionError

    monkeypatch.setattr(Retriever, "ask", hangs)
    monkeypatch.setattr(asking, "WARMING_S", 0.1)
    with serving(connection, api.workspace) as running:
        assert running.query(NAME, running.token())["data"]["workspace"]
        assert not ended
    assert ended == ["cancelled"]
