"""Questions take turns: as many at once as the settings say, and a turn always comes back."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from egcforest.graph.connection import ConnectionConfig
from tests.api.graphql.endless import endless
from tests.api.serving import Api, serving

QUESTION = '{ evidence(question: "Why was the launch moved?") { items { text } } }'
TIME_LIMIT_S = 6.0


def test_questions_take_turns_and_give_them_back(
    api: Api, connection: ConnectionConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    returned = "[] AS hits, null AS since, null AS until, 0 AS messages, 0 AS channels"
    with (
        serving(
            connection, api.workspace, serve_questions_at_once=2, serve_timeout_s=TIME_LIMIT_S
        ) as running,
        ThreadPoolExecutor(5) as threads,
    ):
        token = running.token()
        with endless(connection, monkeypatch, "search/names", returned) as at_it:
            asked = [threads.submit(running.query, QUESTION, token) for _ in range(5)]
            deadline = time.monotonic() + 60
            most = 0
            while not all(one.done() for one in asked):
                assert time.monotonic() < deadline
                most = max(most, at_it())
                # What else is asked does not stand in line with the questions.
                assert running.query("{ workspace { name } }", token)["data"]["workspace"]
        assert most == 2
        for one in asked:
            (error,) = one.result()["errors"]
            assert error["extensions"]["code"] == "TIMEOUT"
        answers = [threads.submit(running.query, QUESTION, token) for _ in range(5)]
        assert all(one.result()["data"]["evidence"]["items"] for one in answers)
