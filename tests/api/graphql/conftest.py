"""Asking the service over HTTP, as one person or another."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from egcforest.graph import store
from tests.api.serving import Api

HENRIKE = "U07A3THEN6"
"""In the private channel legal-security, besides what is public."""


class Asker:
    """Sends documents to a server; keeps one client for each person."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self._clients: dict[str | None, httpx.Client] = {}

    def answer(self, document: str, actor: str | None = None, /, **variables: Any) -> Any:
        """Data and errors."""
        if actor not in self._clients:
            self._clients[actor] = self.api.client(self.api.token(actor))
        # ASCII, so that lone surrogates can be sent as escapes.
        body = json.dumps({"query": document, "variables": variables})
        return (
            self._clients[actor]
            .post("/graphql", content=body, headers={"Content-Type": "application/json"})
            .json()
        )

    def __call__(self, document: str, actor: str | None = None, /, **variables: Any) -> Any:
        """The data; there must be no errors."""
        answer = self.answer(document, actor, **variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    def error(self, document: str, actor: str | None = None, /, **variables: Any) -> Any:
        """The extensions of the one error there must be, with its message."""
        answer = self.answer(document, actor, **variables)
        (error,) = answer["errors"]
        return {**error["extensions"], "message": error["message"]}


@pytest.fixture(scope="session")
def ask(api: Api) -> Asker:
    """Asks about the sample workspace."""
    return Asker(api)


@pytest.fixture
def round_trips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the queries that reach the database, in order."""
    names: list[str] = []
    text = store._text

    def counted(name: str) -> str:
        # Every query that is sent has its text looked up once, in a transaction or by itself.
        names.append(name)
        return text(name)

    monkeypatch.setattr(store, "_text", counted)
    return names
