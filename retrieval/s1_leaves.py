"""S1, view-aware leaf retrieval (paper, section 4): messages and leaves lend each other weight.

Relevance flows both ways. A leaf is as good as its own words and vector say, plus what the messages
in it say; a message is as good as it is itself, plus what its leaves say. So a whole episode rises
where its messages point the same way, and a single message where it stands out alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ..graph.records import View
from ..graph.search_records import NodeHit
from .fusion import best_first, min_max
from .parameters import RetrievalParameters
from .pool import Factors, Found, Pool
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
    words: dict[View, dict[str, float]] = {}
    vectors: dict[View, dict[str, float]] = {}
    for hits, scores in ((by_words, words), (by_vector, vectors)):
        for hit in hits:
            if hit.level != 1:
                continue
            leaf = leaves.setdefault(hit.key, Leaf(hit.key, hit.view, hit.tree))
            leaf.stamp_from, leaf.stamp_to = hit.stamp_from, hit.stamp_to
            of_view = scores.setdefault(hit.view, {})
            of_view[hit.key] = max(hit.score, of_view.get(hit.key, 0.0))
    flows = _flows(pool, leaves)
    for view in View:
        stretched = (
            min_max(words.get(view, {}), floor=0.0),
            min_max(vectors.get(view, {})),
            min_max(flows.get(view, {}), floor=0.0),
        )
        mine = [leaf for leaf in leaves.values() if leaf.view is view]
        for leaf in mine:
            leaf.words, leaf.vector, leaf.flow = (part.get(leaf.key, 0.0) for part in stretched)
            leaf.score = (
                leaf.words + parameters.leaf_vector * leaf.vector + parameters.flow_up * leaf.flow
            )
        _lend_to_neighbours(mine, parameters)
        top = max((leaf.score for leaf in mine), default=0.0)
        for leaf in mine:
            leaf.score = leaf.score / top if top > 0 else 0.0
    return Leaves(leaves)


def _flows(pool: Pool, leaves: dict[str, Leaf]) -> dict[View, dict[str, float]]:
    """What the messages met lend to their leaves; leaves only met this way join in."""
    flows: dict[View, dict[str, float]] = {}
    for found in pool.messages.values():
        if found.own <= 0:
            continue
        for key, view in found.leaves.items():
            if key not in leaves:
                tree = next((t for t in found.trees if key.startswith(t + "/1/")), "")
                leaves[key] = Leaf(key, view, tree, found.stamp, found.stamp)
            of_view = flows.setdefault(view, {})
            of_view[key] = of_view.get(key, 0.0) + found.own
            leaf = leaves[key]
            leaf.stamp_from = min(leaf.stamp_from, found.stamp)
            leaf.stamp_to = max(leaf.stamp_to, found.stamp)
    return flows


def _lend_to_neighbours(leaves: Sequence[Leaf], parameters: RetrievalParameters) -> None:
    """A sitting longer than an episode is cut; its pieces lend each other some of their score."""
    ordered = sorted(leaves, key=lambda leaf: (leaf.tree, leaf.stamp_from, leaf.key))
    lent = [0.0] * len(ordered)
    for i in range(1, len(ordered)):
        before, after = ordered[i - 1], ordered[i]
        if before.tree == after.tree and _minutes(before.stamp_to, after.stamp_from) <= (
            parameters.sitting_minutes
        ):
            lent[i] += parameters.neighbour * before.score
            lent[i - 1] += parameters.neighbour * after.score
    for leaf, amount in zip(ordered, lent, strict=True):
        leaf.neighbours = amount
        leaf.score += amount


def _minutes(first: str, second: str) -> float:
    """Minutes from one stamp to another; negative where they overlap."""
    if not first or not second:
        return float("inf")
    return (_moment(second) - _moment(first)).total_seconds() / 60


def _moment(stamp: str) -> datetime:
    # By slices: strptime takes twenty times as long, and every leaf passes here.
    ends = ((0, 4), (4, 6), (6, 8), (8, 10), (10, 12), (12, 14))
    year, month, day, hour, minute, second = (int(stamp[a:b]) for a, b in ends)
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)


def rank_messages(
    pool: Pool,
    leaves: Leaves,
    factors: Factors,
    parameters: RetrievalParameters,
    record: StageTrace,
) -> list[Candidate]:
    """All messages of the pool, best first, each with the leaf that speaks for it."""
    scored: dict[str, tuple[float, Leaf | None, float]] = {}
    for found in pool.messages.values():
        best, share = _leaf_share(found, leaves, parameters)
        factor = factors.of(found)
        score = (found.own + share + parameters.floor) * factor
        scored[found.key] = (score, best, factor)
    ordered = _woven(
        sorted(scored, key=lambda key: (-scored[key][0], key)),
        {key: pool.messages[key].own * factor for key, (_, _, factor) in scored.items()},
        pool,
        parameters,
    )
    top = max((score for score, _, _ in scored.values()), default=1.0)
    candidates = [
        _candidate(pool.messages[key], *scored[key], top or 1.0)
        for key in ordered[: parameters.candidates]
    ]
    record.counts["messages"] = len(pool.messages)
    record.counts["leaves"] = len(leaves.by_key)
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


def _woven(
    ordered: list[str], alone: dict[str, float], pool: Pool, parameters: RetrievalParameters
) -> list[str]:
    """`ordered` with every so manieth place given to a message that stands out by itself.

    Those are the best by their own relevance whose episodes have no place yet. Whole episodes fill
    the places with what was said around the evidence; a fact said once in another place would come
    after all of it. Where three episodes hold nearly all of the first places the evidence is
    coherent, and nothing is woven in.
    """
    every = parameters.single_every
    first = Counter(pool.messages[key].episode for key in ordered[: parameters.items])
    held = sum(count for _, count in first.most_common(3))
    if every < 2 or held >= parameters.coherent_share * min(parameters.items, len(ordered)):
        return ordered
    singles = iter(best_first({key: score for key, score in alone.items() if score > 0}))
    usual = iter(ordered)
    taken: dict[str, None] = {}
    episodes: set[str] = set()
    while len(taken) < len(ordered):
        key = None
        if (len(taken) + 1) % every == 0:
            key = next(
                (k for k in singles if k not in taken and pool.messages[k].episode not in episodes),
                None,
            )
        if key is None:
            key = next(k for k in usual if k not in taken)
        taken[key] = None
        episodes.add(pool.messages[key].episode)
    return list(taken)


def _leaf_share(
    found: Found, leaves: Leaves, parameters: RetrievalParameters
) -> tuple[Leaf | None, float]:
    """The leaf that speaks loudest for a message, and what its leaves of all views add."""
    weights = {
        View.CHANNEL: parameters.leaf_score,
        View.ACTOR: parameters.actor_leaf_score,
        View.ARTIFACT: parameters.artifact_leaf_score,
    }
    best: dict[View, Leaf] = {}
    for key, view in found.leaves.items():
        leaf = leaves.by_key.get(key)
        if leaf is not None and (view not in best or leaf.score > best[view].score):
            best[view] = leaf
    share = sum(weights[view] * leaf.score for view, leaf in best.items())
    loudest = max(
        best.values(), key=lambda leaf: (weights[leaf.view] * leaf.score, leaf.key), default=None
    )
    return loudest, share


def _candidate(
    found: Found, score: float, leaf: Leaf | None, factor: float, top: float
) -> Candidate:
    why, path = [], []
    if leaf is not None and leaf.score > 0:
        why.append(f"{leaf.view} leaf {leaf.score:.2f}")
        path = [Step("words" if leaf.words >= leaf.vector else "vector", leaf.key)]
    if found.own > 0:
        why.append(f"own words and meaning {found.own:.2f}")
    if factor > 1:
        why.append(f"subject or time x{factor:.1f}")
    path.append(Step("placed" if path else "words", found.key))
    return Candidate(found.key, score / top, Stage.S1, tuple(why), tuple(path))
