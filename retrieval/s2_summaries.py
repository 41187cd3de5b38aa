"""S2, summary-guided supplementation (section 4 of the paper).

Nodes of all levels are found by what their summaries say, trees by their cards; the best are opened
to a bounded number of leaves, and within each the messages are ranked by BM25 over the small corpus
of what was opened. It brings what no message says in the question's words but an overview does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rank_bm25 import BM25Plus

from ..graph.search_records import LeafMessage, NodeHit
from .analysis import Question
from .fusion import best_first, convex
from .parameters import RetrievalParameters
from .pool import Factors, Pool
from .trace import Candidate, Stage, StageTrace, Step, Weighed


def choose_nodes(
    by_words: Iterable[NodeHit],
    by_vector: Iterable[NodeHit],
    factors: Factors,
    parameters: RetrievalParameters,
    record: StageTrace,
) -> dict[str, float]:
    """The nodes to open, by key, with their scores; no two of one subtree's spans."""
    nodes: dict[str, NodeHit] = {}
    words: dict[str, float] = {}
    vectors: dict[str, float] = {}
    for hits, scores in ((by_words, words), (by_vector, vectors)):
        for hit in hits:
            nodes.setdefault(hit.key, hit)
            scores[hit.key] = hit.score
    fused = convex((words, vectors), (1.0, parameters.leaf_vector), floors=(0.0, None))
    for key in fused:
        node = nodes[key]
        fused[key] *= factors.of_node(node.tree, node.stamp_from, node.stamp_to)
    record.counts["nodes"] = len(fused)
    chosen: dict[str, float] = {}
    for key in best_first(fused):
        if len(chosen) == parameters.summary_nodes:
            break
        if not any(_nested(nodes[key], nodes[other]) for other in chosen):
            chosen[key] = fused[key]
    record.weighed = [Weighed(key, score, {"summary": score}) for key, score in chosen.items()]
    return chosen


def _nested(a: NodeHit, b: NodeHit) -> bool:
    """Whether one of two nodes lies in the other: the same tree, and spans that overlap."""
    return a.tree == b.tree and a.stamp_from <= b.stamp_to and b.stamp_from <= a.stamp_to


def rank_messages(
    question: Question,
    chosen: Mapping[str, float],
    opened: Sequence[LeafMessage],
    pool: Pool,
    factors: Factors,
    parameters: RetrievalParameters,
    record: StageTrace,
) -> list[Candidate]:
    """Messages below the chosen nodes, best first, at most `summary_per_node` of each node.

    None for a broad question: S1 has more that matches than there are places, and what only an
    overview speaks for would take them from it.
    """
    if pool.breadth() >= parameters.summaries_below:
        return []
    below = {key: [m for m in opened if m.below == key] for key in chosen}
    corpus = {m.key: m.terms.split() for messages in below.values() for m in messages}
    if not corpus:
        return []
    within = _bm25(corpus, [term.term for term in question.terms(parameters.part_weight)])
    top_node = max(chosen.values()) or 1.0
    best: dict[str, Candidate] = {}
    for node, messages in below.items():
        scores = {
            m.key: (within[m.key] + pool.messages[m.key].own) * factors.of(pool.messages[m.key])
            for m in messages
            if m.key in pool.messages
        }
        for key in best_first(scores, parameters.summary_per_node):
            if scores[key] <= 0:
                continue
            score = scores[key] * (0.5 + 0.5 * chosen[node] / top_node)
            if key in best and best[key].score >= score:
                continue
            leaf = next(m.leaf for m in messages if m.key == key)
            steps = [Step("words", node)]
            if leaf != node:
                steps.append(Step("child", leaf))
            best[key] = Candidate(
                key,
                score,
                Stage.S2,
                (f"summary of a node {chosen[node]:.2f}", f"within it {within[key]:.2f}"),
                (*steps, Step("placed", key)),
            )
    record.counts["messages"] = len(corpus)
    candidates = sorted(best.values(), key=lambda c: (-c.score, c.key))
    record.candidates = _relative(candidates)
    return record.candidates


def _relative(candidates: Sequence[Candidate]) -> list[Candidate]:
    top = max((c.score for c in candidates), default=0.0)
    if top <= 0:
        return list(candidates)
    return [Candidate(c.key, c.score / top, c.stage, c.why, c.path) for c in candidates]


def _bm25(corpus: Mapping[str, Sequence[str]], terms: Sequence[str]) -> dict[str, float]:
    """BM25 of each document, divided by the best; 0 for what shares no term.

    BM25Plus, because the plain form gives a term in half of a small corpus no weight at all. Its
    floor for a missing term is the same for all documents and is taken off.
    """
    keys = list(corpus)
    documents = [list(corpus[key]) or [""] for key in keys]
    wanted = [term for term in terms if any(term in document for document in documents)]
    if not wanted:
        return dict.fromkeys(keys, 0.0)
    model = BM25Plus(documents)
    scores = model.get_scores(wanted)
    floor = model.delta * sum(model.idf[term] for term in wanted)
    raised = {key: max(float(score) - floor, 0.0) for key, score in zip(keys, scores, strict=True)}
    top = max(raised.values())
    return {key: score / top if top > 0 else 0.0 for key, score in raised.items()}
