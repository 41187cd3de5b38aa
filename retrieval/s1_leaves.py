"""S1, view-aware leaf retrieval (paper, section 4): messages and leaves lend each other weight.

Relevance flows both ways. A leaf is as good as its own words and vector say, plus what the messages
in it say; that decides which episodes are opened. A message is as good as it is itself, plus what
its leaves say and, most of all, the windows around it in its channel (`s1_windows`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..graph.records import View
from ..graph.search_records import NodeHit
from .fusion import best_first, min_max
from .parameters import RetrievalParameters
from .pool import Factors, Found, Pool, tree_of
from .stamps import minutes_between
from .trace import Candidate, Stage, StageTrace, Step, Weighed


@dataclass(slots=True)
class Leaf:
    """A level-1 node with the parts of its score."""

    key: str
    view: View
    tree: str
    stamp_from: str = ""
    stamp_to: str = ""
    words: float = 0.0
    vector: float = 0.0
    flow: float = 0.0
    neighbours: float = 0.0
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Leaves:
    """The leaves of a question by key, scored within their view from 0 to 1."""

    by_key: Mapping[str, Leaf] = field(default_factory=dict)

    def best(self, view: View, factors: Factors, limit: int) -> list[str]:
        """Keys of the best leaves of `view`, their subjects and times counted."""
        scores = {
            leaf.key: leaf.score * factors.of_node(leaf.tree, leaf.stamp_from, leaf.stamp_to)
            for leaf in self.by_key.values()
            if leaf.view is view
        }
        return best_first(scores, limit)


def score_leaves(
    pool: Pool,
    by_words: Iterable[NodeHit],
    by_vector: Iterable[NodeHit],
    parameters: RetrievalParameters,
) -> Leaves:
    """Score the leaves that the searches met, or in which messages were met."""
    leaves: dict[str, Leaf] = {}
    words: dict[View, dict[str, float]] = {view: {} for view in View}
    vectors: dict[View, dict[str, float]] = {view: {} for view in View}
    for hits, scores in ((by_words, words), (by_vector, vectors)):
        for hit in hits:
            if hit.level != 1:
                continue
            if hit.key not in leaves:
                leaves[hit.key] = Leaf(hit.key, hit.view, hit.tree, hit.stamp_from, hit.stamp_to)
            of_view = scores[hit.view]
            of_view[hit.key] = max(hit.score, of_view.get(hit.key, 0.0))
    flows = _flows(pool, leaves)
    share = pool.broad_share()
    lent = (1 - share) * parameters.neighbour + share * parameters.broad_neighbour
    for view in View:
        of_words = min_max(words[view], floor=0.0)
        of_vectors = min_max(vectors[view])
        of_flows = min_max(flows[view], floor=0.0)
        mine = [leaf for leaf in leaves.values() if leaf.view is view]
        for leaf in mine:
            leaf.words = of_words.get(leaf.key, 0.0)
            leaf.vector = of_vectors.get(leaf.key, 0.0)
            leaf.flow = of_flows.get(leaf.key, 0.0)
            leaf.score = (
                leaf.words + parameters.leaf_vector * leaf.vector + parameters.flow_up * leaf.flow
            )
        _lend_to_neighbours(mine, lent, parameters.sitting_minutes)
        top = max((leaf.score for leaf in mine), default=0.0)
        for leaf in mine:
            leaf.score = leaf.score / top if top > 0 else 0.0
    return Leaves(leaves)


def _flows(pool: Pool, leaves: dict[str, Leaf]) -> dict[View, dict[str, float]]:
    """What the messages met lend to their leaves; leaves only met this way join in."""
    flows: dict[View, dict[str, float]] = {view: {} for view in View}
    for found in pool.messages.values():
        if found.own <= 0:
            continue
        for key, view in found.leaves.items():
            if key not in leaves:
                leaves[key] = Leaf(key, view, tree_of(key), found.stamp, found.stamp)
            of_view = flows[view]
            of_view[key] = of_view.get(key, 0.0) + found.own
            leaf = leaves[key]
            if found.stamp < leaf.stamp_from:
                leaf.stamp_from = found.stamp
            if found.stamp > leaf.stamp_to:
                leaf.stamp_to = found.stamp
    return flows


def _lend_to_neighbours(leaves: Sequence[Leaf], share: float, sitting_minutes: float) -> None:
    """A long sitting is cut; its pieces lend each other `share` of their scores."""
    ordered = sorted(leaves, key=lambda leaf: (leaf.tree, leaf.stamp_from, leaf.key))
    lent = [0.0] * len(ordered)
    for i in range(1, len(ordered)):
        before, after = ordered[i - 1], ordered[i]
        if (
            before.tree == after.tree
            and minutes_between(before.stamp_to, after.stamp_from) <= sitting_minutes
        ):
            lent[i] += share * before.score
            lent[i - 1] += share * after.score
    for leaf, amount in zip(ordered, lent, strict=True):
        leaf.neighbours = amount
        leaf.score += amount


def rank_messages(
    pool: Pool,
    leaves: Leaves,
    around: Mapping[str, float],
    factors: Factors,
    parameters: RetrievalParameters,
    record: StageTrace,
    *,
    wanted: int,
) -> list[Candidate]:
    """The best `wanted` messages of the pool, best first, each with the leaf that speaks for it.

    Args:
        around: how much what surrounds a message in its channel speaks of the question, 0 to 1
            (`s1_windows`); 0 for whom it does not know.
    """
    scored: dict[str, tuple[float, str, float]] = {}
    broad = pool.broad_share()
    weights = {
        View.CHANNEL: (1 - broad) * parameters.leaf_score + broad * parameters.broad_leaf_score,
        View.ACTOR: parameters.actor_leaf_score,
        View.ARTIFACT: parameters.artifact_leaf_score,
    }
    for found in pool.messages.values():
        share, loudest = _lent(found, leaves, weights, around.get(found.key, 0.0), parameters)
        factor = factors.of(found)
        score = (found.own + share + parameters.floor) * factor
        scored[found.key] = (score, loudest, factor)
    ordered = sorted(scored, key=lambda key: (-scored[key][0], key))[:wanted]
    top = max((score for score, _, _ in scored.values()), default=1.0) or 1.0
    candidates = []
    for key in ordered:
        score, loudest, factor = scored[key]
        why, path = _reasons(pool.messages[key], leaves, loudest, around.get(key, 0.0), factor)
        candidates.append(Candidate(key, score / top, Stage.S1, why, path))
    record.counts["messages"] = len(pool.messages)
    record.counts["leaves"] = len(leaves.by_key)
    record.notes.append(f"breadth of the question {pool.breadth():.2f}")
    best_leaves = sorted(leaves.by_key.values(), key=lambda leaf: (-leaf.score, leaf.key))
    record.weighed = [
        Weighed(
            leaf.key,
            leaf.score,
            {
                "words": leaf.words,
                "vector": leaf.vector,
                "messages": leaf.flow,
                "neighbours": leaf.neighbours,
                "subject": factors.of_tree(leaf.tree),
            },
        )
        for leaf in best_leaves[: parameters.leaves_opened]
    ]
    record.candidates = candidates
    return candidates


def _lent(
    found: Found,
    leaves: Leaves,
    weights: Mapping[View, float],
    around: float,
    parameters: RetrievalParameters,
) -> tuple[float, str]:
    """What the windows around a message and its leaves of all views add, and its loudest leaf."""
    best: dict[View, Leaf] = {}
    for key, view in found.leaves.items():
        leaf = leaves.by_key.get(key)
        if leaf is not None and (view not in best or leaf.score > best[view].score):
            best[view] = leaf
    windows = weights[View.CHANNEL] * around**parameters.window_power
    loudest, loudness, share = found.episode if windows else "", windows, windows
    for view, leaf in best.items():
        weighed = weights[view] * leaf.score
        if view is View.CHANNEL:
            weighed *= parameters.episode_share
        share += weighed
        together = weighed + windows if view is View.CHANNEL else weighed
        if not loudest or (together, leaf.key) > (loudness, loudest):
            loudest, loudness = leaf.key, together
    return share, loudest


def _reasons(
    found: Found, leaves: Leaves, loudest: str, around: float, factor: float
) -> tuple[tuple[str, ...], tuple[Step, ...]]:
    """Why a message is shown, and the way to it."""
    why, path = [], []
    leaf = leaves.by_key.get(loudest)
    if around > 0 and loudest == found.episode:
        why.append(f"talk around it {around:.2f}")
        by_vector = leaf is not None and leaf.vector > max(around, leaf.words)
        path = [Step("vector" if by_vector else "words", loudest)]
    elif leaf is not None and leaf.score > 0:
        why.append(f"{leaf.view} leaf {leaf.score:.2f}")
        path = [Step("words" if leaf.words >= leaf.vector else "vector", loudest)]
    if found.own > 0:
        why.append(f"own words and meaning {found.own:.2f}")
    if factor > 1:
        why.append(f"subject or time x{factor:.1f}")
    path.append(Step("placed" if path else "words", found.key))
    return tuple(why), tuple(path)
