"""S3, structural completion (paper, section 4): what belongs to evidence without looking alike.

From the best messages it follows the lives of the artifacts they belong to, replies and identifier
bridges; where two subjects are named it joins their trees over the Placement Map; where a project
was found under another name it brings the message that says so. Every step is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..graph.keys import is_project
from ..graph.records import View
from ..graph.search_records import HopHit, JoinHit, LeafMessage, MessageHit
from .analysis import Resolution
from .fusion import best_first
from .parameters import RetrievalParameters
from .pool import Factors, Pool, tree_of, view_of
from .trace import Candidate, Stage, StageTrace, Step, Weighed


@dataclass(frozen=True, slots=True)
class Plan:
    """What S3 asks the graph for.

    Attributes:
        seeds: messages whose bridges are followed, with their scores.
        artifacts: trees of artifacts whose lives are opened, with their scores.
        named: of those, the trees of artifacts that the question names, with the terms that do.
        joins: pairs of lists of trees.
    """

    seeds: dict[str, float]
    artifacts: dict[str, float]
    named: dict[str, frozenset[str]]
    joins: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


def plan(
    pool: Pool, resolution: Resolution, factors: Factors, parameters: RetrievalParameters
) -> Plan:
    """Choose seeds by what is known after the first round of searches."""
    scores = {
        found.key: found.own * factors.of(found)
        for found in pool.messages.values()
        if found.own > 0
    }
    seeds = {key: scores[key] for key in best_first(scores, parameters.seeds)}
    lives: dict[str, float] = {}
    for key, score in seeds.items():
        for leaf in pool.messages[key].leaves:
            if _is_life(leaf):
                tree = tree_of(leaf)
                lives[tree] = lives.get(tree, 0.0) + score
    named = {
        tree: frozenset(subject.terms)
        for subject in resolution.subjects
        if subject.view is View.ARTIFACT and subject.certainty >= 0.5 and subject.terms
        for tree in subject.trees
        if _is_life(tree)
    }
    # What the question is about comes before what its seeds touch.
    lives.update(dict.fromkeys(named, sum(seeds.values()) or 1.0))
    followed = {tree: lives[tree] for tree in best_first(lives, parameters.artifacts_followed)}
    return Plan(seeds, followed, named, _joins(resolution))


def _joins(
    resolution: Resolution,
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Pairs of different subjects, of different views or named by different words."""
    best = [s for s in resolution.subjects if s.certainty >= 0.5][:4]
    pairs = []
    for i, first in enumerate(best):
        for second in best[i + 1 :]:
            same_word = set(first.terms) & set(second.terms)
            if first.key != second.key and not same_word and first.trees and second.trees:
                small, large = sorted((first, second), key=lambda s: (s.size, s.key))
                if small.view is View.CHANNEL and large.view is View.CHANNEL:
                    continue  # a message is in one channel only
                pairs.append((small.trees, large.trees))
    return tuple(pairs[:3])


def rank_messages(
    chosen: Plan,
    lives: Sequence[LeafMessage],
    hops: Sequence[HopHit],
    joined: Sequence[JoinHit],
    statements: Sequence[tuple[MessageHit, Sequence[LeafMessage]]],
    pool: Pool,
    factors: Factors,
    parameters: RetrievalParameters,
    record: StageTrace,
) -> list[Candidate]:
    """The messages S3 proposes: statements of renames first, then by score."""
    best: dict[str, Candidate] = {}

    def propose(
        key: str, strength: float, why: str, path: tuple[Step, ...], floor: float = parameters.floor
    ) -> None:
        found = pool.messages.get(key)
        if found is None:
            return
        score = strength * (floor + found.own) * factors.of(found)
        if key not in best or score > best[key].score:
            best[key] = Candidate(key, score, Stage.S3, (why,), path)

    top_seed = max(chosen.seeds.values(), default=1.0) or 1.0
    for life, score in _lives(chosen, lives, parameters, record).items():
        for message in lives:
            if message.below == life:
                path = (Step("placed", life), Step("placed", message.key))
                if life in chosen.named and chosen.named[life] <= set(message.terms.split()):
                    why = "names the artifact that the question is about"
                    propose(message.key, 1.0, why, path, parameters.named_floor)
                else:
                    propose(message.key, score, "life of an artifact of the evidence", path)
    for hop in hops:
        strength = 0.6 * chosen.seeds.get(hop.source, 0.0) / top_seed
        why = "answers or is answered by evidence"
        if hop.kind == "SAME_IDENTIFIER":
            why = "names the same identifier as evidence"
        path = (Step("seed", hop.source), Step(hop.kind.lower(), hop.target))
        propose(hop.target, strength, why, path)
    for join in joined:
        both = (Step("joined", join.first), Step("joined", join.second))
        why = "stands in the trees of two subjects of the question"
        propose(join.message, 1.0, why, (*both, Step("placed", join.message)))
    record.counts.update(
        hops=len(hops), joined=len(joined), lives=len(chosen.artifacts), statements=len(statements)
    )
    ordered = sorted(best.values(), key=lambda c: (-c.score, c.key))
    top = ordered[0].score if ordered and ordered[0].score > 0 else 1.0
    ranked = [replace(c, score=c.score / top) for c in ordered if c.score > 0]
    first = _statements(statements, parameters)
    told = {candidate.key for candidate in first}
    record.candidates = first + [c for c in ranked if c.key not in told]
    return record.candidates


def _lives(
    chosen: Plan,
    lives: Sequence[LeafMessage],
    parameters: RetrievalParameters,
    record: StageTrace,
) -> dict[str, float]:
    """The artifacts worth following, scored up to 1: the seeds' share, against their length."""
    sizes: dict[str, int] = {}
    for message in lives:
        sizes[message.below] = sizes.get(message.below, 0) + 1
    enough = parameters.life_share * sum(chosen.seeds.values())
    scores = {
        tree: score / sizes[tree] ** 0.5
        for tree, score in chosen.artifacts.items()
        if score >= enough and 1 < sizes.get(tree, 0) < parameters.artifact_messages
    }
    top = max(scores.values(), default=1.0) or 1.0
    scores = {tree: score / top for tree, score in scores.items()}
    record.weighed = [
        Weighed(tree, scores[tree], {"seeds": chosen.artifacts[tree], "messages": sizes[tree]})
        for tree in best_first(scores)
    ]
    return scores


def _statements(
    statements: Iterable[tuple[MessageHit, Sequence[LeafMessage]]],
    parameters: RetrievalParameters,
) -> list[Candidate]:
    """The messages in which renames were agreed, each followed by its episode."""
    out: list[Candidate] = []
    for hit, episode in statements:
        why = ("says that a project of the question has another name",)
        step = Step("named", hit.key)
        out.append(Candidate(hit.key, 1.0, Stage.S3, why, (step,)))
        rest = [message.key for message in episode if message.key != hit.key]
        for key in rest[: parameters.statement_messages - 1]:
            path = (step, Step("placed", hit.episode), Step("placed", key))
            out.append(Candidate(key, 0.9, Stage.S3, ("belongs to that talk",), path))
    return list({candidate.key: candidate for candidate in reversed(out)}.values())[::-1]


def _is_life(key: str) -> bool:
    """Whether a key is that of a tree, or of a node in one, that is the life of one deliverable."""
    return view_of(key) is View.ARTIFACT and not is_project(key)
