"""Arguments that cannot be used: BAD_INPUT with a remedy, and never anything else."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.api.graphql.conftest import Asker


def forged(content: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


Case = tuple[str, dict[str, Any], str]
"""A document, its variables, and the name of the argument that is refused."""

PAGE_SIZES: list[Case] = [
    ("query ($n: Int!) { channels(first: $n) { totalCount } }", {"n": n}, "first")
    for n in (-1, 0, 101, 10_000, 2**31 - 1)
]

CURSORS: list[Case] = [
    (
        f"query ($c: String) {{ {field}(after: $c) {{ pageInfo {{ endCursor }} }} }}",
        {"c": cursor},
        "after",
    )
    for field in ("channels", "artifacts", "coverage")
    for cursor in (
        "",
        "zz",
        "é",
        "%%%",
        "A" * 50_000,
        forged(None),
        forged([]),
        forged([f"{field}:name"]),
        forged(["actors:name", "a", "b"]),
        forged([f"{field}:name", True, "k"]),
        forged([f"{field}:name", 2**80, "k"]),
        forged([f"{field}:name", "\ud800", "k"]),
        forged([["x"] * 3] * 900),
        "W1tb" * 2000,
    )
]
CURSORS += [
    (
        """
        query ($c: String) {
          channel(id: "sample/c/C07PLAT002") { messages(after: $c) { nodes { id } } }
        }
        """,
        {"c": forged(content)},
        "after",
    )
    for content in (
        ["messages:oldest", 1, "k"],
        ["messages:newest", "1", "k"],
        ["messages:newest", 2**59, "k"],
        ["messages:newest", 1.5, "k"],
    )
]
CURSORS += [
    ('query ($c: String) { search(text: "x", after: $c) { nodes { id } } }', {"c": c}, "after")
    for c in ("zz", forged([]), forged(["search", "12345"]), forged(["search", "0" * 6000]))
]

TEXTS: list[Case] = [
    (f"query ($t: String!) {{ {field} {{ __typename }} }}", {"t": text}, argument)
    for field, argument in (
        ("search(text: $t)", "text"),
        ("evidence(question: $t)", "question"),
        ("tree(view: ACTOR, subject: $t)", "subject"),
    )
    for text in ("", " \n\t", "x" * 100_000)
]
TEXTS += [
    (
        "query ($s: String!) { channels(filter: {nameStartsWith: $s}) { totalCount } }",
        {"s": "x" * 1000},
        "nameStartsWith",
    ),
    (
        'query ($i: [ID!]) { search(text: "x", filter: {channels: $i}) { nodes { id } } }',
        {"i": [f"c{i}" for i in range(101)]},
        "channels",
    ),
    (
        'query ($i: [ID!]) { search(text: "x", filter: {authors: $i}) { nodes { id } } }',
        {"i": ["c" * 5000]},
        "authors",
    ),
]

STATISTICS = """
query ($since: DateTime, $until: DateTime, $unit: TimeUnit! = MONTH, $zone: String! = "UTC") {
  statistics(since: $since, until: $until) {
    messagesOverTime(unit: $unit, timeZone: $zone) { messages }
  }
}
"""
TIMES: list[Case] = [
    (STATISTICS, variables, argument)
    for variables, argument in (
        ({"since": "2026-05-01T00:00:00Z", "until": "2026-04-01T00:00:00Z"}, "since"),
        ({"since": "2026-05-01T00:00:00Z", "until": "2026-05-01T00:00:00Z"}, "since"),
        ({"since": "2026-05-01T00:00:00"}, "since"),
        ({"since": "0001-01-01T00:00:00+14:00"}, "since"),
        ({"until": "9999-12-31T23:59:59-12:00"}, "until"),
        ({"unit": "HOUR"}, "unit"),
        ({"since": "0001-01-01T00:00:00Z", "unit": "DAY"}, "unit"),
        ({"since": "9999-11-01T00:00:00Z", "until": "9999-12-31T23:00:00Z"}, "since"),
        ({"zone": "Mars/Olympus"}, "timeZone"),
        ({"zone": "../../etc/passwd"}, "timeZone"),
        ({"zone": "/etc/localtime"}, "timeZone"),
        ({"zone": ""}, "timeZone"),
    )
]
TIMES.append(
    (
        "query ($at: DateTime) { channels(filter: {activeSince: $at}) { totalCount } }",
        {"at": "2026-01-01T00:00:00"},
        "activeSince",
    )
)

EVIDENCE = """
query ($items: Int, $tokens: Int, $now: DateTime) {
  evidence(question: "last year", items: $items, tokens: $tokens, now: $now) { tokens }
}
"""
BUDGETS: list[Case] = [
    (EVIDENCE, {argument: value}, argument)
    for argument, value in (
        ("items", 0),
        ("items", 10_000),
        ("tokens", 1),
        ("tokens", 10**6),
        ("now", "0001-01-01T00:00:00Z"),
        ("now", "2026-01-01T00:00:00"),
    )
]


@pytest.mark.parametrize(
    ("document", "variables", "argument"), [*PAGE_SIZES, *CURSORS, *TEXTS, *TIMES, *BUDGETS]
)
def test_what_cannot_be_used_is_refused_with_a_remedy(
    ask: Asker, document: str, variables: dict[str, Any], argument: str
) -> None:
    error = ask.error(document, **variables)
    assert error["code"] == "BAD_INPUT", error
    assert error["argument"] == argument
    assert error["remedy"]
    assert len(error["message"]) < 200


ODD = ["🦆" * 400, 'AND OR NOT ( ~ " / \\ - *', "x", "sample/c/"]


@pytest.mark.parametrize("text", ODD)
def test_any_text_can_be_looked_for(ask: Asker, text: str) -> None:
    document = """
    query ($t: String!, $i: ID!) {
      search(text: $t, filter: {channels: [$i]}) { nodes { id } }
      all: search(text: $t, first: 1) { nodes { id } }
      evidence(question: $t, items: 1) { tokens }
      tree(view: ARTIFACT, subject: $t) { id }
      channel(id: $i) { name }
      node(id: $i) { id }
      forestNode(key: $i) { id }
      message(key: $i) { id }
      statistics(author: $i) { messages }
      channels(filter: {nameStartsWith: $t}) { totalCount }
    }
    """
    found = ask(document, t=text, i=text)
    assert found["node"] is None
    assert found["channel"] is None
    assert found["statistics"] == {"messages": 0}


def test_an_ambiguous_name_is_refused_with_the_candidates(ask: Asker) -> None:
    # Two in the sample are called Sam.
    found = ask.answer('{ tree(view: ACTOR, subject: "sam") { name } }')
    if "errors" in found:
        (error,) = found["errors"]
        assert error["extensions"]["code"] == "BAD_INPUT"
        assert "sample/a/" in error["message"]
