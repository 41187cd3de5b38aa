"""The baselines on a log small enough to rank by hand."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from egcforest.benchmarks.analysis import OWN, STANDARD_ANALYSIS
from egcforest.benchmarks.log import GROUP_SIZE, BenchLog, LoggedMessage, Pool
from egcforest.benchmarks.questions import BenchQuestion
from egcforest.benchmarks.systems.base import Asked, System
from egcforest.benchmarks.systems.plain import Bm25, Dense, Fixed16, HybridConvex, HybridRrf
from egcforest.graph.records import Scope

START = datetime(2026, 1, 1, tzinfo=UTC)


def logged(number: int, words: str, angle: float, channel: str = "c") -> LoggedMessage:
    """A message whose vector stands at `angle` degrees to the question's."""
    radians = math.radians(angle)
    return LoggedMessage(
        key=f"w/m/{channel}/{number}",
        ref=(channel, str(number)),
        audience="public" if channel != "secret" else "secret",
        at=START + timedelta(minutes=number),
        terms=tuple(words.split()),
        vector=np.array([math.cos(radians), math.sin(radians)], dtype=np.float32),
    )


def asked(pool: Pool, words: str) -> Asked:
    question = BenchQuestion("q", words, "kind", frozenset(), START)
    vector = np.array([1.0, 0.0], dtype=np.float32)
    return Asked(question, Scope("w", ("public",)), pool, tuple(words.split()), vector)


async def numbers(system: System, pool: Pool, words: str, depth: int = 10) -> list[int]:
    keys = await system.rank(asked(pool, words), depth)
    return [int(key.rsplit("/", 1)[1]) for key in keys]


# Messages 0 to 5; "oven" is in 1 and, among more words, in 4; "late" in 2.
POOL = Pool(
    [
        logged(0, "tea", 80),
        logged(1, "oven", 60),
        logged(2, "late", 10),
        logged(3, "bread", 20),
        logged(4, "oven tea bread milk salt", 40),
        logged(5, "milk", 89),
    ]
)


async def test_bm25_ranks_the_shorter_of_two_that_share_the_word_and_leaves_the_others_out():
    assert await numbers(Bm25(), POOL, "oven") == [1, 4]
    assert await numbers(Bm25(), POOL, "nothing") == []
    assert await numbers(Bm25(), POOL, "") == []


def test_bm25_scores_are_okapis():
    # Six messages of 10 words in all: the average length is 10 / 6. "late" is in one of six:
    # idf = ln((6 - 1 + 0.5) / (1 + 0.5)). Its message has length 1; k1 = 1.5, b = 0.75.
    idf = math.log(5.5 / 1.5)
    expected = idf * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 1 / (10 / 6)))
    scores = POOL.bm25(("late",))
    assert scores[2] == pytest.approx(expected)
    assert np.count_nonzero(scores) == 1


async def test_dense_ranks_by_angle():
    assert await numbers(Dense(), POOL, "oven") == [2, 3, 4, 1, 0, 5]
    assert await numbers(Dense(), POOL, "oven", depth=2) == [2, 3]


async def test_reciprocal_rank_fusion_adds_places():
    # Words: 1, 4. Angles: 2, 3, 4, 1, 0, 5. Sums of 1 / (60 + place):
    # 1: 1/61 + 1/64; 4: 1/62 + 1/63; 2: 1/61; 3: 1/62; 0: 1/65; 5: 1/66.
    first, fourth = 1 / 61 + 1 / 64, 1 / 62 + 1 / 63
    assert first > fourth > 1 / 61
    assert await numbers(HybridRrf(), POOL, "oven") == [1, 4, 2, 3, 0, 5]


async def test_convex_fusion_adds_stretched_scores():
    # Words: 1 has 1, 4 has 0. Angles: cos 10° has 1, cos 89° has 0, and cos 60° =
    # (0.5 - 0.0175) / (0.9848 - 0.0175) = 0.499, so 1 has 1.499 and is first. 4 has
    # (0.766 - 0.0175) / 0.9673 = 0.774, after 2 with 1 and 3 with 0.953.
    assert await numbers(HybridConvex(), POOL, "oven") == [1, 2, 3, 4, 0]


async def test_fixed_groups_hand_out_all_their_messages_in_order_of_time():
    # Twenty messages of one channel and three of another: groups of 16, 4 and 3.
    words = ["tea"] * 23
    words[18] = "oven"
    pool = Pool(
        [
            *(logged(number, words[number], 0) for number in range(20)),
            *(logged(number, words[number], 0, "d") for number in range(20, 23)),
        ]
    )
    assert [len(group) for group in pool.groups] == [GROUP_SIZE, 4, 3]
    assert await numbers(Fixed16(), pool, "oven") == [16, 17, 18, 19]
    assert await numbers(Fixed16(), pool, "oven", depth=2) == [16, 17]


def test_a_pool_holds_what_its_audiences_may_see():
    log = BenchLog([logged(0, "tea", 0), logged(1, "oven", 0, "secret")])
    assert log.pool(("public",)).visible == {"w/m/c/0"}
    assert log.pool(("public", "secret")).visible == {"w/m/c/0", "w/m/secret/1"}
    assert log.ref("w/m/secret/1") == ("secret", "1")


async def test_a_pool_without_messages_or_words_ranks_nothing():
    assert await numbers(Bm25(), Pool([logged(0, "", 0)]), "oven") == []
    assert await numbers(Fixed16(), Pool([logged(0, "", 0)]), "oven") == []
    assert await numbers(Bm25(), Pool([]), "oven") == []
    assert await numbers(Dense(), Pool([]), "oven") == []


def test_standard_analysis_does_not_take_names_apart_and_the_own_one_does():
    text = "The planForce teams are planning it"
    assert STANDARD_ANALYSIS.document(text) == ["planforc", "team", "plan"]
    assert set(OWN.document(text)) == {"planforc", "plan", "forc", "team"}
    assert STANDARD_ANALYSIS.query("Is it?") == []
