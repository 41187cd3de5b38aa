"""Fusion, question reading, name resolution and assembly, without a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from egcforest.graph.records import View
from egcforest.graph.search_records import AncestorHit, MessageText, TimeRange, TreeHit
from egcforest.retrieval.analysis import Naming, name_words, read_question, resolve
from egcforest.retrieval.answer import render
from egcforest.retrieval.fusion import best_first, convex, min_max, reciprocal_rank
from egcforest.retrieval.parameters import RetrievalParameters
from egcforest.retrieval.pool import Found, Pool, factors, tree_of, view_of
from egcforest.retrieval.s4_assembly import assemble, share_out
from egcforest.retrieval.trace import Candidate, DropReason, Stage, StageTrace

P = RetrievalParameters()


def test_min_max_stretches_and_keeps_single_hits() -> None:
    assert min_max({"a": 4.0, "b": 2.0, "c": 3.0}) == {"a": 1.0, "b": 0.0, "c": 0.5}
    assert min_max({"a": 4.0, "b": 2.0}, floor=0.0) == {"a": 1.0, "b": 0.5}
    assert min_max({"a": 0.3}) == {"a": 1.0}
    assert min_max({}) == {}


def test_convex_counts_what_is_missing_as_nothing() -> None:
    fused = convex(({"a": 2.0, "b": 1.0}, {"b": 9.0, "c": 3.0}), (1.0, 0.5))
    assert fused == {"a": 1.0, "b": 0.5, "c": 0.0}


def test_reciprocal_rank_knows_ranks_only() -> None:
    fused = reciprocal_rank(({"a": 100.0, "b": 99.0},), (1.0,), constant=1)
    assert fused == {"a": 1 / 2, "b": 1 / 3}


def test_ties_are_broken_by_key() -> None:
    assert best_first({"b": 1.0, "a": 1.0, "c": 2.0}) == ["c", "a", "b"]


def test_a_question_is_read() -> None:
    question = read_question("What did I say about OPS-77 to my team?")
    assert question.first_person
    assert question.team
    assert [found.value for found in question.identifiers] == ["OPS-77"]
    assert "ops-77" in {word.term for word in question.words}
    assert not read_question("Which I/O problems has Phase I?").first_person


def test_a_name_is_known_by_its_whole_and_its_pieces() -> None:
    assert {"routegeni", "develop"} <= name_words("develop-RouteGenie")


def hit(view: View, subject: str, name: str, *aliases: str, size: int = 10) -> TreeHit:
    return TreeHit(
        f"w/t/{view}/{subject}/public", view, f"w/{subject}", "public", name, aliases, size, 1.0
    )


def test_rare_names_resolve_and_common_ones_do_not() -> None:
    channels = [hit(View.CHANNEL, f"c/{i}", f"team-{i}") for i in range(30)]
    channels.append(hit(View.CHANNEL, "c/99", "team-Lighthouse"))
    found = resolve(
        read_question("What does the Lighthouse team do?"), {View.CHANNEL: channels}, 31, P
    )
    assert [subject.key for subject in found.subjects] == ["w/c/99"]


def test_two_bearers_of_a_name_share_it_unless_more_is_said() -> None:
    people = [hit(View.ACTOR, "a/1", "Sam Okoro"), hit(View.ACTOR, "a/2", "Sam Whitlock")]
    both = resolve(read_question("What did Sam say?"), {View.ACTOR: people}, 3, P)
    assert [subject.certainty for subject in both.subjects] == [0.5, 0.5]
    one = resolve(read_question("What did Sam Whitlock say?"), {View.ACTOR: people}, 3, P)
    assert [(s.key, s.certainty) for s in one.subjects] == [("w/a/2", 1.0)]


def test_identifiers_titles_and_renames_resolve() -> None:
    artifacts = [
        hit(View.ARTIFACT, "x/ticket/OPS-77", "OPS-77"),
        hit(View.ARTIFACT, "x/document/alert-routing", "Alert Routing Design"),
        hit(View.ARTIFACT, "x/project/lighthouse", "Lighthouse", "Beacon"),
    ]
    question = read_question("Does OPS-77 block the alert routing design of Beacon?")
    found = resolve(question, {View.ARTIFACT: artifacts}, 3, P)
    naming = {subject.key: subject.naming for subject in found.subjects}
    assert naming == {
        "w/x/ticket/OPS-77": Naming.IDENTIFIER,
        "w/x/document/alert-routing": Naming.NAME,
        "w/x/project/lighthouse": Naming.NAME,
    }
    assert found.renames == ((("beacon",), ("lighthous",)),)
    assert found.aliases == ("lighthous",)


def test_keys_of_leaves_tell_tree_and_view() -> None:
    leaf = "w/t/artifact/x/ticket/OPS-77/public/1/ops/o1"
    assert tree_of(leaf) == "w/t/artifact/x/ticket/OPS-77/public"
    assert view_of(leaf) is View.ARTIFACT


def test_rare_subjects_and_short_times_weigh_more() -> None:
    names = [
        hit(View.CHANNEL, "c/1", "Lighthouse"),
        hit(View.ARTIFACT, "x/ticket/A-1", "A-1", size=2),
    ]
    found = resolve(
        read_question("A-1 in Lighthouse"),
        {View.CHANNEL: names[:1], View.ARTIFACT: names[1:]},
        20,
        P,
    )
    day = TimeRange(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC))
    weights = factors(found.subjects, [day], messages=1000, days=100.0, parameters=P)
    both = Found("m", stamp="20260301120000000", trees={names[0].key, names[1].key})
    one = replace(both, trees={names[0].key})
    late = replace(both, stamp="20260401120000000")
    assert weights.of(both) > weights.of(one) > 1
    assert weights.of(both) > weights.of(late)
    assert weights.of(Found("n", stamp="20260401120000000")) == 1


def candidates(stage: Stage, *keys: str) -> list[Candidate]:
    return [Candidate(key, 1.0 - i / 100, stage) for i, key in enumerate(keys)]


def test_shares_keep_the_order_of_stages_and_pass_on_what_is_left() -> None:
    parameters = replace(P, share_s1=0.5, share_s2=0.3, share_s3=0.2)
    proposals = {
        Stage.S1: candidates(Stage.S1, *"abcdefghijkl"),
        Stage.S2: candidates(Stage.S2, "a", "x"),
        Stage.S3: candidates(Stage.S3, "b", "y", "z"),
    }
    order = [c.key for c in share_out(proposals, 10, parameters)]
    assert order == ["a", "b", "c", "d", "e", "x", "y", "z", "f", "g"]
    reserve = [c.key for c in share_out(proposals, 10, parameters, beyond=2)]
    assert reserve == [*order, "h", "i"]
    assert [c.key for c in share_out({}, 10, parameters)] == []


class Words:
    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())


def text(key: str, words: str, author: str = "w/a/1") -> MessageText:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    return MessageText(
        key, words, at, key, key, "w/c/1", "ops", "public", author, "Ana", "", "", (), None, ""
    )


def test_assembly_says_what_it_dropped_and_why() -> None:
    record = StageTrace(Stage.S4)
    order = candidates(Stage.S1, "a", "gone", "twin", "long", "b", "c")
    texts = {
        "a": text("a", "one two"),
        "twin": text("twin", "one two"),
        "long": text("long", "word " * 99),
        "b": text("b", "three"),
        "c": text("c", "four"),
    }
    items, headings, size = assemble(
        order,
        texts,
        {},
        [],
        items=2,
        tokens=40,
        counter=Words(),
        parameters=P,
        record=record,
    )
    assert [item.key for item in items] == ["a", "b"]
    assert [item.number for item in items] == [1, 2]
    assert headings == ()
    assert size <= 40
    assert {drop.key: drop.reason for drop in record.dropped} == {
        "gone": DropReason.GONE,
        "twin": DropReason.DUPLICATE_TEXT,
        "long": DropReason.TOKEN_BUDGET,
        "c": DropReason.ITEM_CAP,
    }


def test_headings_say_nothing_twice() -> None:
    """A wider summary is picked from narrower ones."""
    day = datetime(2026, 3, 2, tzinfo=UTC)

    def node(leaf: str, key: str, level: int, summary: str) -> AncestorHit:
        return AncestorHit(leaf, key, level, "t", View.CHANNEL, "atlas", "", summary, day, day)

    top = "one: a\ntwo: b\nthree: c"
    _, headings, _ = assemble(
        candidates(Stage.S1, "x", "y"),
        {"x": text("x", "one two"), "y": text("y", "three")},
        {"x": "leaf1", "y": "leaf2"},
        [
            node("leaf1", "leaf1", 1, "one: a\nmore"),
            node("leaf1", "top", 2, top),
            node("leaf2", "leaf2", 1, "two: b"),
            node("leaf2", "top", 2, top),
        ],
        items=5,
        tokens=400,
        counter=Words(),
        parameters=P,
        record=StageTrace(Stage.S4),
    )
    assert [heading.lines for heading in headings] == [
        ("three: c", "one: a more"),
        ("two: b",),
    ]


@settings(deadline=None)  # a machine that does much else at the time
@given(
    lengths=st.lists(st.integers(1, 30), min_size=1, max_size=8),
    leaves=st.lists(st.integers(0, 3), min_size=8, max_size=8),
    summaries=st.lists(st.integers(0, 40), min_size=4, max_size=4),
    tokens=st.integers(1, 250),
)
@example(lengths=[9, 9], leaves=[1, 2] * 4, summaries=[0, 5, 40, 0], tokens=50)
def test_an_item_names_a_heading_that_there_is_or_none(
    lengths: list[int], leaves: list[int], summaries: list[int], tokens: int
) -> None:
    """Whatever the budget leaves out, readers look headings up by what the items name."""
    day = datetime(2026, 3, 2, tzinfo=UTC)
    keys = [f"m{number}" for number in range(len(lengths))]
    texts = {key: text(key, f"{key} " * length) for key, length in zip(keys, lengths, strict=True)}
    record = StageTrace(Stage.S4)
    items, headings, size = assemble(
        candidates(Stage.S1, *keys),
        texts,
        {key: f"leaf{leaf}" for key, leaf in zip(keys, leaves, strict=False)},
        # The last leaf is gone: a build took it away between two queries.
        [
            AncestorHit(
                f"leaf{n}", f"leaf{n}", 1, "t", View.CHANNEL, "atlas", "", "so " * long, day, day
            )
            for n, long in enumerate(summaries[:3])
        ],
        items=8,
        tokens=tokens,
        counter=Words(),
        parameters=P,
        record=record,
    )
    known = {heading.key for heading in headings}
    named = {item.heading for item in items}
    assert named - {""} == known
    assert size == (Words().count(render(items, headings)) if items else 0) <= tokens
    accounted = {item.key for item in items} | {drop.key for drop in record.dropped}
    assert accounted == set(keys)


def test_parameters_are_checked() -> None:
    with pytest.raises(ValueError, match="items"):
        RetrievalParameters(items=0)
    with pytest.raises(ValueError, match="stages"):
        RetrievalParameters(stages=("s9",))


def test_breadth_is_the_last_place_against_the_first():
    parameters = RetrievalParameters(items=2, narrow_below=0.4, broad_above=0.8)
    pool = Pool(parameters)
    assert (pool.breadth(), pool.broad_share()) == (0.0, 0.0)
    pool.by_words = {"a": 10.0, "b": 6.0, "c": 1.0}
    assert pool.breadth() == 0.6
    assert pool.broad_share() == pytest.approx(0.5)


def test_a_stage_that_proposes_nothing_gives_its_share_to_s1():
    def ten(stage):
        return [Candidate(f"{stage}-{n}", 1.0, stage, (), ()) for n in range(10)]

    proposals = {Stage.S1: ten(Stage.S1), Stage.S2: [], Stage.S3: ten(Stage.S3)}
    order = share_out(proposals, 10, RetrievalParameters())
    assert [c.stage for c in order] == [Stage.S1] * 8 + [Stage.S3] * 2
