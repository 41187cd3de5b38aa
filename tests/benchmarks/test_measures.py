"""Every measure on rankings short enough to be worked out by hand."""

from __future__ import annotations

import pytest

from egcforest.benchmarks import measures

EVIDENCE = frozenset({"a", "b", "c", "d"})
# Evidence stands at places 2 (a), 4 (b), 7 (c); d is never found.
RANKING = ["x1", "a", "x2", "b", "x3", "x4", "c", "x5", "x6", "x7", "x8"]


def test_precision_counts_hits_among_the_first_places():
    assert measures.precision_at(5, RANKING, EVIDENCE) == 2 / 5
    assert measures.precision_at(10, RANKING, EVIDENCE) == 3 / 10


def test_precision_counts_empty_places_as_misses():
    assert measures.precision_at(20, RANKING, EVIDENCE) == 3 / 20
    assert measures.precision_at(5, ["a"], EVIDENCE) == 1 / 5
    assert measures.precision_at(5, [], EVIDENCE) == 0.0


def test_recall_counts_hits_among_all_evidence():
    assert measures.recall_at(5, RANKING, EVIDENCE) == 2 / 4
    assert measures.recall_at(10, RANKING, EVIDENCE) == 3 / 4
    assert measures.recall_at(5, ["a", "b", "c", "d"], EVIDENCE) == 1.0


def test_a_message_counts_once():
    assert measures.hits(["a", "a", "a", "b"], EVIDENCE, 4) == 2
    assert measures.precision_at(5, ["a"] * 5, EVIDENCE) == 1 / 5


def test_r_precision_is_precision_at_the_number_of_evidence():
    # Four pieces of evidence: a and b are among the first four.
    assert measures.r_precision(RANKING, EVIDENCE) == 2 / 4
    assert measures.r_precision(["d", "c", "b", "a"], EVIDENCE) == 1.0


def test_reciprocal_rank_is_of_the_first_hit():
    assert measures.reciprocal_rank(RANKING, EVIDENCE) == 1 / 2
    assert measures.reciprocal_rank(["a"], EVIDENCE) == 1.0
    assert measures.reciprocal_rank(["x"] * 4, EVIDENCE) == 0.0


def test_reciprocal_rank_looks_at_fifty_places():
    others = [f"x{i}" for i in range(50)]
    assert measures.reciprocal_rank([*others[:49], "a"], EVIDENCE) == 1 / 50
    assert measures.reciprocal_rank([*others, "a"], EVIDENCE) == 0.0


def test_all_found_needs_every_piece():
    assert measures.all_found(20, RANKING, EVIDENCE) == 0.0
    assert measures.all_found(20, [*RANKING, "d"], EVIDENCE) == 1.0
    assert measures.all_found(11, [*RANKING, "d"], EVIDENCE) == 0.0


def test_measured_takes_each_cutoff_from_the_ranking_that_was_asked_for_it():
    evidence = {"a", "b"}
    rankings = {
        2: ["x", "a"],  # what the system hands out when asked for two
        20: ["a", "x", "x2", "x3", "x4", "x5", "b"],
        50: ["x", "x2", "a", "b"],
    }
    assert measures.depths(evidence) == (2, 20, 50)
    assert measures.measured(rankings, evidence) == {
        "P@5": 1 / 5,
        "P@10": 2 / 10,
        "P@20": 2 / 20,
        "P@50": 2 / 50,
        "R@5": 1 / 2,
        "R@10": 1.0,
        "R@20": 1.0,
        "R@50": 1.0,
        "R-precision": 1 / 2,
        "MRR": 1 / 3,
        "all@20": 1.0,
    }


def test_measured_names_are_the_announced_ones_in_order():
    rankings = {1: ["a"], 20: ["a"], 50: ["a"]}
    assert tuple(measures.measured(rankings, {"a"})) == measures.MEASURES


def test_depths_asks_twice_where_the_evidence_is_as_long_as_the_answer():
    assert measures.depths({str(i) for i in range(20)}) == (20, 50)
    assert measures.depths({str(i) for i in range(67)}) == (20, 50, 67)


def test_no_evidence_is_refused():
    with pytest.raises(ValueError, match="without evidence"):
        measures.measured({20: [], 50: []}, set())


def test_means_are_over_questions():
    rows = [{"P@20": 0.2, "MRR": 1.0}, {"P@20": 0.4, "MRR": 0.0}, {"P@20": 0.0, "MRR": 0.5}]
    assert measures.means(rows) == pytest.approx({"P@20": 0.2, "MRR": 0.5})
    assert measures.means([]) == {}


def test_means_by_type_count_their_questions():
    rows = [{"P@20": 0.2}, {"P@20": 0.4}, {"P@20": 0.9}]
    assert measures.means_by(rows, ["b", "b", "a"]) == {
        "a": {"questions": 1.0, "P@20": 0.9},
        "b": {"questions": 2.0, "P@20": pytest.approx(0.3)},
    }
