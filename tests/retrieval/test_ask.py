"""Asking the small company: what comes back, in what order, and what is said about it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from egcforest.graph.store import ForestStore
from egcforest.retrieval.answer import NOTHING_FOUND
from egcforest.retrieval.parameters import Fusion, RetrievalParameters
from egcforest.retrieval.pipeline import Retriever
from egcforest.retrieval.trace import Stage
from egcforest.text.encoders.base import Vectors
from egcforest.text.encoders.hashing import HashingEncoder
from egcforest.text.tokens import default_token_counter

from .conftest import ENCODER, Company, channel, grow, message, person


def keys(answer: Any) -> list[str]:
    return [item.key for item in answer.items]


async def test_the_life_of_an_artifact_comes_back_whole(company: Company) -> None:
    answer = await company.ask("What became of OPS-77?")
    wanted = {company.key("ops", n) for n in ("o1", "o3", "o5")}
    assert wanted <= set(keys(answer)[:6])


async def test_a_question_with_the_old_name_finds_what_bears_the_new_one(company: Company) -> None:
    answer = await company.ask("What does Beacon show since May?")
    assert company.key("plan", "p6") in keys(answer)
    assert company.key("plan", "p4") in keys(answer)
    statement = next(i for i in answer.items if i.key == company.key("plan", "p4"))
    assert statement.text == "Legal asked us: we are renaming Beacon to Lighthouse."


async def test_items_are_verbatim_and_fully_cited(company: Company) -> None:
    answer = await company.ask("How full is the disk of the mail relay?")
    item = next(i for i in answer.items if i.key == company.key("ops", "o3"))
    assert item.text == "At 91 percent, I add a volume."
    assert (item.author_name, item.author_title) == ("Bo Lind", "Engineer")
    assert item.channel_name == "operations"
    assert item.at == datetime(2026, 3, 11, 7, 30, tzinfo=UTC)
    assert item.source_id == "o3"
    assert [i.number for i in answer.items] == list(range(1, len(answer.items) + 1))
    assert (
        f"[{item.number}] 2026-03-11 07:30 #operations Bo Lind (Engineer): At 91" in answer.render()
    )
    assert len(set(keys(answer))) == len(answer.items)


async def test_headings_are_summaries_and_no_items(company: Company) -> None:
    answer = await company.ask("What became of OPS-77?")
    assert answer.headings
    assert {item.heading for item in answer.items} >= {heading.key for heading in answer.headings}
    assert all(heading.since <= heading.until and heading.lines for heading in answer.headings)


async def test_nothing_found_is_said(company: Company, store: ForestStore, tmp_path: Path) -> None:
    empty = Company(store, company.workspace + "x")
    retriever = Retriever(store, ENCODER)
    scope = replace(await company.scope(), workspace=empty.workspace)
    answer = await retriever.ask("Who is on call?", scope)
    assert answer.items == ()
    assert answer.render() == NOTHING_FOUND
    assert answer.tokens == default_token_counter().count(NOTHING_FOUND)


@pytest.mark.parametrize("question", ["", "   ", "?!", "…", "+-&&||!(){}[]^"])
async def test_nothing_asked_finds_nothing(company: Company, question: str) -> None:
    answer = await company.ask(question)
    assert answer.items == ()
    assert answer.render() == NOTHING_FOUND
    assert "nothing to look for" in str(answer.trace.as_dict())


@pytest.mark.parametrize(
    "question",
    [
        "",
        "   ",
        "the of and",
        'a/b ~ c- "unbalanced AND OR NOT NORD EBITDA (',
        '+-&&||!(){}[]^"~*?:\\/',
        "\x00\ud800 broken",
        "word " * 30_000,
        " ".join(f"term{i}" for i in range(5_000)),
    ],
)
async def test_any_text_can_be_asked(company: Company, question: str) -> None:
    answer = await company.ask(question)
    assert len(answer.items) <= 20


async def test_words_of_lucene_are_words(
    store: ForestStore, workspace: str, tmp_path: Path
) -> None:
    lines = [
        person("ana"),
        channel("fin", "finance"),
        message("fin", "1", "03-02T09:00", "ana", "EBITDA of NORD is up 4 percent"),
        message("fin", "2", "03-09T09:00", "ana", "path a/b~c- is the OR gate"),
        message("fin", "3", "03-16T09:00", "ana", "soup for lunch"),
    ]
    one = await grow(store, tmp_path, workspace, lines)
    for question, number in (("EBITDA NORD", "1"), ("a/b~c- OR", "2"), ('"NORD', "1")):
        answer = await one.ask(question)
        assert answer.items[0].key == one.key("fin", number)


async def test_japanese_is_found(company: Company) -> None:
    answer = await company.ask("サーバー障害の原因は何ですか？")
    assert answer.items[0].key == company.key("ops", "o7")


async def test_words_alone_surface_a_message(company: Company) -> None:
    class Blind(HashingEncoder):
        def encode_query(self, text: str) -> Vectors:
            return super().encode_query("zebra")

    retriever = Retriever(company.store, Blind())
    answer = await retriever.ask("soup noon", await company.scope())
    assert answer.items[0].key == company.key("ops", "o4")


async def test_times_hold_at_their_boundaries(company: Company) -> None:
    start = datetime(2026, 3, 11, 7, 30, tzinfo=UTC)
    inside = await company.ask("disk of the mail relay", since=start)
    assert company.key("ops", "o3") in keys(inside)
    assert all(item.at >= start for item in inside.items)
    outside = await company.ask("disk of the mail relay", since=start + timedelta(microseconds=1))
    assert company.key("ops", "o3") not in keys(outside)
    until = await company.ask("disk of the mail relay", until=start)
    assert company.key("ops", "o3") not in keys(until)
    assert all(item.at < start for item in until.items)
    after = await company.ask("disk of the mail relay", until=start + timedelta(microseconds=1))
    assert company.key("ops", "o3") in keys(after)
    none = await company.ask("disk of the mail relay", since=start, until=start)
    assert none.items == ()


async def test_a_time_spoken_of_raises_what_was_said_then(company: Company) -> None:
    answer = await company.ask("What did Dee Park say on 20 March?")
    assert answer.items[0].key == company.key("ops", "o4")


async def test_i_means_the_asker(company: Company) -> None:
    question = "What do I take, and what do I add?"
    answer = await company.ask(question, "bo")
    notes = answer.trace.stages[Stage.ANALYSIS].notes
    assert any("/a/bo: asker" in note for note in notes)
    assert answer.items[0].author == f"{company.workspace}/a/bo"


async def test_budgets_are_exact(company: Company) -> None:
    counter = default_token_counter()
    for tokens in (1, 20, 60, 90, 120, 150, 200, 300, 400, 2000):
        answer = await company.ask("What became of OPS-77 and its disk?", tokens=tokens)
        assert answer.tokens == counter.count(answer.render())
        named = {item.heading for item in answer.items} - {""}
        assert named == {heading.key for heading in answer.headings}
        if answer.items:
            assert answer.tokens <= tokens
    for items in (1, 2, 5):
        answer = await company.ask("What became of OPS-77 and its disk?", items=items)
        assert len(answer.items) == items


async def test_a_message_that_does_not_fit_is_dropped_not_cut(
    store: ForestStore, workspace: str, tmp_path: Path
) -> None:
    long = "The migration plan: " + "step after step, " * 200
    lines = [
        person("ana"),
        channel("mig", "migration"),
        message("mig", "1", "03-02T09:00", "ana", long),
        message("mig", "2", "03-09T09:00", "ana", "The migration plan is approved."),
    ]
    one = await grow(store, tmp_path, workspace, lines)
    answer = await one.ask("migration plan", tokens=120)
    assert [item.text for item in answer.items] == ["The migration plan is approved."]
    assert any(one.key("mig", "1") in note for note in answer.trace.stages[Stage.S4].notes)


async def test_the_same_words_by_the_same_author_come_once(
    store: ForestStore, workspace: str, tmp_path: Path
) -> None:
    lines = [person("ana"), channel("x", "deploys")]
    lines += [
        message("x", str(n), f"03-{n + 10}T09:00", "ana", "Deploy of the relay done")
        for n in range(5)
    ]
    one = await grow(store, tmp_path, workspace, lines)
    answer = await one.ask("deploy of the relay")
    assert len(answer.items) == 1


async def test_the_trace_is_complete_and_stages_keep_their_order(company: Company) -> None:
    answer = await company.ask("What became of OPS-77?", "ana")
    assert list(answer.trace.stages) == [
        Stage.ANALYSIS,
        Stage.SEARCH,
        Stage.S1,
        Stage.S2,
        Stage.S3,
        Stage.S4,
    ]
    order = [Stage.S1, Stage.S2, Stage.S3]
    positions = [order.index(item.stage) for item in answer.items]
    first = positions[: int(20 * RetrievalParameters().share_s1)]
    assert first == sorted(first)
    proposed = {
        candidate.key for stage in order for candidate in answer.trace.stages[stage].candidates
    }
    assert set(keys(answer)) <= proposed
    for stage in order:
        assert all(
            candidate.path and candidate.path[-1].key == candidate.key
            for candidate in answer.trace.stages[stage].candidates
        )
    assert answer.trace.total_ms > 0
    assert answer.trace.lines()
    assert answer.as_dict(trace=True)["trace"]["s1_leaves"]["counts"]["candidates"] > 0


async def test_every_fusion_and_view_answers(company: Company) -> None:
    from egcforest.graph.records import View

    for fusion in Fusion:
        parameters = replace(RetrievalParameters(), fusion=fusion)
        assert (await company.ask("What became of OPS-77?", parameters=parameters)).items
    for view in View:
        assert (await company.ask("What became of OPS-77?", view=view)).items


async def test_questions_run_concurrently_and_do_not_mix(company: Company) -> None:
    questions = ["What became of OPS-77?", "Where is lunch?", "What is the budget for servers?"]
    alone = [keys(await company.ask(question)) for question in questions]
    together = await asyncio.gather(*(company.ask(question) for question in questions * 5))
    assert [keys(answer) for answer in together] == alone * 5


async def test_encoding_does_not_hold_up_the_event_loop(company: Company) -> None:
    class Slow(HashingEncoder):
        def encode_query(self, text: str) -> Vectors:
            time.sleep(0.5)
            return super().encode_query(text)

    lags: list[float] = []

    async def watch() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.01)
            lags.append(time.perf_counter() - before - 0.01)

    watching = asyncio.create_task(watch())
    await Retriever(company.store, Slow()).ask("Where is lunch?", await company.scope())
    watching.cancel()
    assert max(lags) < 0.4


async def test_bad_budgets_and_times_are_refused(company: Company) -> None:
    with pytest.raises(ValueError, match="budgets"):
        await company.ask("x", items=0)
    with pytest.raises(ValueError, match="zone"):
        await company.ask("x", since=datetime(2026, 1, 1))  # noqa: DTZ001
