"""Every query of docs/api.md runs over HTTP and brings what the page shows."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.api.graphql.conftest import HENRIKE, Asker

PAGE = Path(__file__).resolve().parents[3] / "docs" / "api.md"
# A heading, words, a document, its variables, its result.
QUERY = re.compile(
    r"^### (?P<title>.+?)\n(?P<text>.+?)```graphql\n(?P<document>.+?)```\n+"
    r"```json\n(?P<variables>.+?)```\n+```json\n(?P<result>.+?)```\n",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Documented:
    """A query as the page shows it."""

    title: str
    document: str
    variables: dict[str, Any]
    result: Any


def queries() -> list[Documented]:
    return [
        Documented(
            found["title"],
            found["document"],
            json.loads(found["variables"]),
            json.loads(found["result"]),
        )
        for found in QUERY.finditer(PAGE.read_text("utf-8"))
    ]


# What depends on the encoder and on how summaries are made is compared by its form alone.
OF_OUR_MAKING = {"search", "evidence", "card", "caption", "summary"}


def fits(shown: Any, real: Any, *, form: bool = False) -> bool:
    """Whether `shown` is `real`, shortened: lists to their first entries, texts by an ellipsis."""
    match shown, real:
        case dict(), dict():
            return shown.keys() == real.keys() and all(
                fits(shown[name], real[name], form=form or name in OF_OUR_MAKING) for name in shown
            )
        case list(), list():
            enough = form or len(shown) == len(real) or 0 < len(shown) < len(real)
            pairs = zip(shown, real, strict=False)
            return enough and all(fits(one, other, form=form) for one, other in pairs)
        case str(), str() if not form and shown.endswith("…"):
            return real.startswith(shown[:-1])
    if form:
        return None in (shown, real) or type(shown) is type(real)
    return bool(shown == real)


@pytest.mark.parametrize("query", queries(), ids=lambda query: query.title)
def test_documented_queries_bring_what_the_page_shows(ask: Asker, query: Documented) -> None:
    real = ask(query.document, HENRIKE, **query.variables)
    assert fits(query.result, real), json.dumps(real, indent=1, ensure_ascii=False)


def test_there_are_ten_for_dashboards_and_more() -> None:
    page = PAGE.read_text("utf-8")
    dashboards = page[page.index("## Ten queries") : page.index("## Evidence")]
    assert dashboards.count("```graphql") == dashboards.count("\n### ") == 10
    assert len(queries()) == 11


def test_every_document_of_the_page_is_valid(ask: Asker) -> None:
    documents = re.findall(r"```graphql\n(query .+?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(documents) == 12
    for document in documents:
        for error in ask.answer(document).get("errors", ()):
            # Variables were not given; the rest of the document was understood.
            code = error["extensions"]["code"]
            assert code == "NOT_CONFIGURED" or "$" in error["message"], error


def test_the_code_of_each_error_is_explained() -> None:
    from egcforest.api.errors import ErrorCode

    table = PAGE.read_text("utf-8").partition("## Errors")[2].partition("## Edits")[0]
    assert set(re.findall(r"`([A-Z_]{5,})`", table)) == {code.value for code in ErrorCode}
