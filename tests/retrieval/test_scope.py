"""No stage shows what the asker may not see, in any form."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from egcforest.graph.log_store import LogStore
from egcforest.graph.lucene import TermWeight
from egcforest.graph.records import Scope, View
from egcforest.graph.search_records import WordSearch
from egcforest.graph.store import ForestStore
from egcforest.retrieval.parameters import RetrievalParameters

from .conftest import ENCODER, LINES, Company, grow

QUESTIONS = (
    "What is OPS-77 about?",
    "What is the budget for servers?",
    "What is Nightfall?",
    "Was Lighthouse renamed to Nightfall?",
    "What did Cy Okafor say about stolen mail?",
    "What happens in the board room?",
    "Which backend and alerts are needed?",
    "What did Ana and Cy discuss about OPS-77?",
)
NODE_FIELDS = {"terms": 1.0, "header_terms": 1.0, "summary_terms": 1.0}
STAGES = (("s1",), ("s2",), ("s3",), ("s1", "s2", "s3"))
SECRETS = ("stolen", "99,000", "Nightfall", "theft", "board-room", "/board/", "/board")


def shown(answer: object) -> str:
    """Everything an answer says, its trace included, but for the question itself."""
    data = answer.as_dict(trace=True)  # type: ignore[attr-defined]
    data.pop("question")
    return json.dumps(data, ensure_ascii=False) + answer.render()  # type: ignore[attr-defined]


@pytest.mark.parametrize("stages", STAGES)
@pytest.mark.parametrize("question", QUESTIONS)
async def test_nobody_in_particular_sees_nothing_private(
    company: Company, question: str, stages: tuple[str, ...]
) -> None:
    parameters = replace(RetrievalParameters(), stages=stages)
    for asker in (None, "bo"):
        answer = await company.ask(question, asker, parameters=parameters)
        text = shown(answer)
        # What the question itself says may come back as its own words in the trace's notes.
        assert not [s for s in SECRETS if s in text and s not in question]
        assert all(item.audience == "public" for item in answer.items)
        assert "nightfall" not in text.lower()


async def test_members_see_both_twins(company: Company) -> None:
    answer = await company.ask("What is the budget for servers?", "ana")
    assert {company.key("ops", "o6"), company.key("board", "b2")} <= {i.key for i in answer.items}


async def test_private_names_do_not_resolve_for_others(company: Company) -> None:
    outside = await company.ask("What is Nightfall?", "bo")
    inside = await company.ask("What is Nightfall?", "cy")
    assert company.key("board", "b3") in {item.key for item in inside.items}
    assert not any(
        "nightfall" in note.lower() for s in outside.trace.stages.values() for note in s.notes
    )


async def test_every_search_and_hop_keeps_to_the_scope(company: Company) -> None:
    scope = await company.scope("bo")
    search = company.search
    terms = [TermWeight(t) for t in ("ops-77", "budget", "server", "nightfal", "mail", "backend")]
    vector = ENCODER.encode_query("OPS-77 budget for servers Nightfall stolen mail").tolist()
    everything = [
        await search.messages_by_words(
            scope, [WordSearch(terms=terms, fields={"terms": 1.0, "context_terms": 0.3}, limit=50)]
        ),
        await search.messages_by_vector(scope, vector, limit=50),
        await search.nodes_by_words(scope, [WordSearch(terms=terms, fields=NODE_FIELDS, limit=50)]),
        await search.nodes_by_vector(scope, vector, limit=50),
        await search.names(scope, terms, fields={"alias_terms": 1.0, "card_terms": 1.0}, limit=50),
    ]
    assert all(everything)
    assert all(part for found in everything for part in found)
    assert "board" not in repr(everything)


async def test_hops_and_joins_do_not_cross_into_private_channels(company: Company) -> None:
    private = company.key("board", "b1")
    public = company.key("ops", "o1")
    outside, inside = await company.scope("bo"), await company.scope("cy")
    assert private in {
        hop.target for hop in await company.search.hops(inside, [public], limit=9)
    } | {hop.source for hop in await company.search.hops(inside, [private], limit=9)}
    assert "board" not in repr(await company.search.hops(outside, [public, private], limit=9))
    assert await company.search.message_texts(outside, [private]) == {}
    assert await company.search.placements(outside, [private]) == []
    trees = await company.search.trees_of_subjects(
        inside, [f"{company.workspace}/x/ticket/OPS-77", f"{company.workspace}/a/cy"]
    )
    artifact = [t.key for t in trees if t.view is View.ARTIFACT]
    actor = [t.key for t in trees if t.view is View.ACTOR]
    assert await company.search.joined(outside, artifact, actor, limit=9) == []
    assert "board" not in repr(
        await company.search.tree_messages(outside, [*artifact, *actor], limit=9)
    )


async def test_counts_are_those_of_what_is_visible(company: Company) -> None:
    _, outside = await company.search.names(await company.scope("bo"), [], fields={}, limit=1)
    _, inside = await company.search.names(await company.scope("ana"), [], fields={}, limit=1)
    assert inside.messages - outside.messages == 4
    assert inside.channels - outside.channels == 1


async def test_three_workspaces_are_kept_apart(store: ForestStore, tmp_path: Path) -> None:
    names = [f"three{i}{tmp_path.name[-3:].lower().replace('_', 'x')}" for i in range(3)]
    companies = [await grow(store, tmp_path, name, LINES) for name in names]
    try:
        for one in companies:
            answer = await one.ask("What is OPS-77 about?")
            assert answer.items
            assert all(item.key.startswith(f"{one.workspace}/") for item in answer.items)
    finally:
        for name in names:
            await LogStore(store).wipe(name)


async def test_more_audiences_than_one_query_holds(company: Company) -> None:
    scope = await company.scope("ana")
    many = Scope(
        scope.workspace,
        (*(f"no-such-{i}" for i in range(2500)), *scope.audiences),
        scope.actor,
    )
    words = WordSearch(terms=[TermWeight("budget")], fields={"terms": 1.0}, limit=10)
    (hits,) = await company.search.messages_by_words(many, [words])
    assert {hit.key for hit in hits} == {company.key("ops", "o6"), company.key("board", "b2")}
