"""What each Cypher file promises, checked against the plans of a real Neo4j."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from egcforest import cypher
from egcforest.graph.store import ForestStore

# A query that may scan, and why. Empty is best.
MAY_SCAN: dict[str, str] = {}


def operators(plan: dict[str, Any]) -> Iterator[str]:
    """Names of the operators of a plan, parents first."""
    yield plan["operatorType"].split("@")[0]
    for child in plan.get("children", ()):
        yield from operators(child)


def scans(plan: dict[str, Any]) -> list[str]:
    """Operators that read all nodes, all of a label or type, or a whole index."""
    return [name for name in operators(plan) if "Scan" in name]


async def explain(store: ForestStore, text: str) -> dict[str, Any]:
    async with store._session() as session:
        result = await session.run("EXPLAIN " + text)
        plan = (await result.consume()).plan
    assert plan is not None
    return plan


def statement(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))


@pytest.mark.parametrize("name", cypher.names())
async def test_no_query_scans(store: ForestStore, name: str) -> None:
    plan = await explain(store, cypher.load(name))
    assert name in MAY_SCAN or not scans(plan), list(operators(plan))


@pytest.mark.parametrize("name", cypher.names())
async def test_searches_use_their_index(store: ForestStore, name: str) -> None:
    text = statement(cypher.load(name))
    found = list(operators(await explain(store, cypher.load(name))))
    if "VECTOR INDEX" in text:
        assert any("VectorIndexSearch" in operator for operator in found), found
    if "db.index.fulltext" in text:
        assert "ProcedureCall" in found


@pytest.mark.parametrize("order", ["newest", "oldest"])
async def test_a_page_of_a_channel_reads_no_further_than_it_shows(
    store: ForestStore, order: str
) -> None:
    plan = await explain(store, cypher.load(f"reading/channel_messages_{order}"))
    assert "PartialTop" in set(operators(plan)), list(operators(plan))


@pytest.mark.parametrize("name", cypher.names())
def test_files_say_what_they_return_and_lean_on(name: str) -> None:
    text = cypher.load(name)
    assert text.startswith("// Returns: ")
    assert "\n// Index: " in text
    code = statement(text)
    assert ";" not in re.sub(r"'[^']*'", "", code), "one statement, without semicolon"


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n",
        "MATCH (m:Message) RETURN m",
        "MATCH (m:Message) WHERE m.text CONTAINS $x RETURN m",
        "MATCH (m:Message) WHERE m.at > $x RETURN m",
        "MATCH (m:Message|Channel) RETURN m",
        "MATCH ()-[r:IN]->() RETURN r",
        "MATCH (m:Message) WHERE m.key IS NOT NULL RETURN m",
    ],
)
async def test_the_check_finds_scans(store: ForestStore, text: str) -> None:
    assert scans(await explain(store, text))


def test_an_unknown_query_is_named_with_its_neighbours() -> None:
    with pytest.raises(cypher.UnknownQueryError, match=r"log/append'.*log/entries"):
        cypher.load("log/append")
