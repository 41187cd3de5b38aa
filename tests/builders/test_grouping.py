"""Properties of the grouping: order independence, bounds, threads, locality."""

import random
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from egcforest.builders.grouping import GroupingParameters, episodes, upper_levels
from egcforest.graph.records import View

MINUTE = 60_000


@dataclass(frozen=True)
class Said:
    source_id: str
    at_ms: int
    thread: str | None = None
    channel: str = "w/c/C1"

    @property
    def anchor(self) -> str:
        return f"w/m/C1/{self.source_id}"


@st.composite
def logs(draw: st.DrawFn) -> list[Said]:
    gaps = draw(st.lists(st.integers(0, 200), min_size=1, max_size=120))
    said: list[Said] = []
    at = 0
    for i, gap in enumerate(gaps):
        at += gap * MINUTE
        thread = None
        if said and draw(st.integers(0, 3)) == 0:
            root = said[draw(st.integers(0, len(said) - 1))]
            thread = root.thread or root.source_id
        said.append(Said(f"s{i}", at, thread))
    return said


def tree(said, parameters=None, view=View.CHANNEL):
    parameters = parameters or GroupingParameters()
    leaves = episodes(said, view, parameters)
    return leaves, upper_levels(leaves, parameters)


@given(logs(), st.randoms(use_true_random=False), st.sampled_from(["episodes", "fixed"]))
def test_the_order_of_arrival_does_not_matter(said, rng, grouping):
    parameters = GroupingParameters(grouping=grouping)
    shuffled = list(said)
    rng.shuffle(shuffled)
    assert tree(said, parameters) == tree(shuffled, parameters)


@given(logs(), st.integers(2, 16), st.sampled_from(["episodes", "fixed"]))
def test_every_message_once_and_at_most_k_children(said, k, grouping):
    leaves, levels = tree(said, GroupingParameters(k=k, grouping=grouping))
    assert sorted(m.source_id for leaf in leaves for m in leaf) == sorted(m.source_id for m in said)
    assert all(1 <= len(leaf) <= k for leaf in leaves)
    below = len(leaves)
    for level in levels:
        assert [i for group in level for i in group.children] == list(range(below))
        assert all(1 <= len(group.children) <= k for group in level)
        below = len(level)
    assert below == 1


@given(logs())
def test_a_thread_that_fits_is_never_cut(said):
    leaves, _ = tree(said)
    for root in {m.thread for m in said if m.thread}:
        members = {m.source_id for m in said if m.thread == root} | {root}
        if len(members) <= 16:
            assert sum(1 for leaf in leaves if members & {m.source_id for m in leaf}) == 1


@given(logs())
def test_neighbouring_nodes_above_the_episodes_could_not_have_been_one(said):
    for level in tree(said)[1]:
        sizes = [len(group.children) for group in level]
        assert all(a + b > 16 for a, b in pairwise(sizes))


def test_breaks_at_silence():
    said = [Said(f"s{i}", t * MINUTE) for i, t in enumerate([0, 5, 10, 71, 75, 136])]
    leaves, _ = tree(said)
    assert [[m.source_id for m in leaf] for leaf in leaves] == [
        ["s0", "s1", "s2"],
        ["s3", "s4"],
        ["s5"],
    ]


def test_a_late_reply_stands_with_its_thread():
    said = [Said("s0", 0), Said("s1", 5 * MINUTE), Said("s2", 500 * MINUTE)]
    late = Said("s3", 90_000 * MINUTE, "s0")
    leaves, _ = tree([*said, late])
    assert [[m.source_id for m in leaf] for leaf in leaves] == [["s0", "s3", "s1"], ["s2"]]


def test_a_late_reply_stands_at_its_threads_time_before_the_root_is_known():
    base = 1_700_000_000
    said = [Said(f"{base + i * 60}.000000", (base + i * 60) * 1000) for i in range(1, 4)]
    reply = Said("9.9", (base + 9_000_000) * 1000, f"{base}.000000")
    leaves, _ = tree([*said, reply])
    assert leaves[0][0].source_id == "9.9"
    assert len(leaves) == 1


def test_a_long_thread_is_cut_inside_and_stays_together():
    said = [Said("s0", 0)] + [Said(f"r{i}", i * MINUTE, "s0") for i in range(1, 50)]
    said.append(Said("z", 2 * MINUTE))
    leaves, _ = tree(said)
    order = [m.source_id for leaf in leaves for m in leaf]
    assert order == ["s0", *[f"r{i}" for i in range(1, 50)], "z"]
    assert all(len(leaf) <= 16 for leaf in leaves)


def test_fixed_is_every_k_in_time_order():
    said = [Said(f"s{i:03}", i * 100 * MINUTE, "s000" if i == 39 else None) for i in range(40)]
    leaves, levels = tree(said, GroupingParameters(grouping="fixed"))
    assert [len(leaf) for leaf in leaves] == [16, 16, 8]
    assert leaves[2][-1].source_id == "s039"
    assert [[g.children for g in level] for level in levels] == [[(0, 1, 2)]]


@pytest.mark.parametrize("gap", ["even", "minutes", "long tail"])
def test_an_insertion_touches_little_more_than_its_path(gap):
    rng = random.Random(7)
    step = {
        "even": lambda: 1,
        "minutes": lambda: rng.choice([1, 2, 3, 4, 5]),
        "long tail": lambda: round(rng.expovariate(1 / 40)),
    }[gap]
    said, at = [], 0
    for i in range(2000):
        at += step() * MINUTE
        said.append(Said(f"s{i}", at))

    def nodes(log):
        leaves, levels = tree(log)
        ids = {(1, tuple(m.source_id for m in leaf)) for leaf in leaves}
        below = [tuple(m.source_id for m in leaf) for leaf in leaves]
        for depth, level in enumerate(levels, 2):
            below = [tuple(x for i in group.children for x in below[i]) for group in level]
            ids |= {(depth, content) for content in below}
        return ids, len(levels) + 1

    before, height = nodes(said)
    changed = []
    for n in range(40):
        at = said[rng.randrange(len(said))].at_ms + 30_000
        after, _ = nodes([*said, Said(f"new{n}", at)])
        changed.append(len(after - before))
    assert sum(changed) / len(changed) <= 1.7 * height
    assert max(changed) <= 4 * height


@settings(max_examples=30)
@given(logs(), st.integers(0, 10_000))
def test_an_insertion_leaves_other_sessions_alone(said, minute):
    session = [Said("far", 10**9 * MINUTE), Said("far2", (10**9 + 3) * MINUTE)]
    before, _ = tree([*said, *session])
    after, _ = tree([*said, Said("new", minute * MINUTE), *session])
    assert before[-1] == after[-1] == tuple(session)


def test_parameters_are_checked():
    with pytest.raises(ValueError, match="k must"):
        GroupingParameters(k=1)
    with pytest.raises(ValueError, match="minute"):
        GroupingParameters(actor_silence_min=0)
