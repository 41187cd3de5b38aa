"""Windows over opened episodes, and persons in broad questions, without a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from egcforest.graph.lucene import stamp
from egcforest.graph.search_records import LeafMessage
from egcforest.retrieval.parameters import RetrievalParameters
from egcforest.retrieval.pool import Factors, Found
from egcforest.retrieval.s1_windows import score_windows

P = RetrievalParameters(window_messages=4)
BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
LEAF = "w/t/channel/c/C1/public/1/C1/{}"


def said(
    *texts: str, leaf: int = 0, from_minute: int = 0, author: str = "w/a/A"
) -> list[LeafMessage]:
    """Messages of one episode, a minute apart."""
    return [
        LeafMessage(
            key=f"w/m/C1/{leaf}-{number}",
            leaf=LEAF.format(leaf),
            below=LEAF.format(leaf),
            position=number,
            stamp=stamp(BEGAN + timedelta(minutes=from_minute + number)),
            author=author,
            terms=text,
        )
        for number, text in enumerate(texts)
    ]


def test_a_short_sitting_is_told_as_a_whole() -> None:
    found = score_windows(said("pump", "leak", "yes"), {"pump": 1.0}, {}, P)
    assert list(found.values()) == [1.0, 1.0, 1.0]


def test_different_words_in_one_window_beat_one_word_said_often() -> None:
    together = said("pump", "x", "leak", "x")
    often = said("pump pump", "x x", "pump", "x", leaf=1, from_minute=600)
    found = score_windows(together + often, {"pump": 1.0, "leak": 1.0}, {}, P)
    assert found["w/m/C1/0-0"] == 1.0
    assert found["w/m/C1/1-0"] < 0.8


def test_what_lies_in_the_middle_of_the_matches_comes_first() -> None:
    texts = ["x", "x", "x", "x", "pump", "x", "leak", "x", "x", "x", "x"]
    found = score_windows(said(*texts), {"pump": 1.0, "leak": 1.0}, {}, P)
    scores = [found[f"w/m/C1/0-{number}"] for number in range(len(texts))]
    assert scores[4:7] == pytest.approx([1.0, 1.0, 1.0])
    assert 0 < scores[2] < scores[3] < 1
    # Beyond the reach of any window with a match there is nothing.
    assert scores[0] == pytest.approx(0.0)


def test_rare_words_are_worth_more() -> None:
    rare = said("pump", "x", "x")
    common = said("team", "x", "x", leaf=1, from_minute=600)
    found = score_windows(rare + common, {"pump": 4.0, "team": 1.0}, {}, P)
    assert found["w/m/C1/0-0"] == 1.0
    assert found["w/m/C1/1-0"] == pytest.approx(0.25)


def test_whoever_speaks_there_and_is_named_counts_as_a_word() -> None:
    hers = said("pump", "x", author="w/a/Ada")
    his = said("pump", "x", leaf=1, from_minute=600, author="w/a/Bo")
    worth = {"pump": 1.0, "ada": 1.0}
    found = score_windows(hers + his, worth, {"w/a/Ada": ("ada",)}, P)
    assert found["w/m/C1/0-0"] > found["w/m/C1/1-0"]
    same = score_windows(hers + his, worth, {}, P)
    assert same["w/m/C1/0-0"] == same["w/m/C1/1-0"]


def test_a_sitting_that_was_cut_is_one_and_a_silence_is_a_cut() -> None:
    first, close = said("x", "pump"), said("leak", "x", "x", leaf=1, from_minute=3)
    far = said("leak", "x", "x", leaf=1, from_minute=600)
    worth = {"pump": 1.0, "leak": 1.0}
    near = score_windows(first + close, worth, {}, P)
    apart = score_windows(first + far, worth, {}, P)
    # Beside the other word a message stands out of its episode; across a silence it does not.
    assert near["w/m/C1/1-2"] < near["w/m/C1/1-0"]
    assert apart["w/m/C1/1-2"] == apart["w/m/C1/1-0"]


def test_nothing_opened_or_nothing_asked_scores_nothing() -> None:
    assert score_windows([], {"pump": 1.0}, {}, P) == {}
    assert score_windows(said("pump"), {}, {}, P) == {}
    assert score_windows(said("x"), {"pump": 1.0}, {}, P) == {}


def test_a_person_named_counts_less_and_who_asks_as_before() -> None:
    weights = Factors(
        trees={},
        authors={"w/a/Ada": ("actor", 1.0), "w/a/Me": ("asker", 1.0)},
        windows=(),
    )
    less = weights.with_persons(0.5)
    assert weights.of(Found("w/m/1", author="w/a/Ada")) == 2.0
    assert less.of(Found("w/m/1", author="w/a/Ada")) == 1.5
    assert less.of(Found("w/m/1", author="w/a/Me")) == 2.0
    assert less.of(Found("w/m/1", author="w/a/Else")) == 1.0
