"""The rounds of database work behind one question: what is asked at once, and with what.

Round zero looks names up. Round one searches: by vector as soon as the question is encoded, by
words as soon as its names are known. Round two opens what round one pointed at. Round three reads
texts and headings. Searches of one index go together: a round trip costs as much as a search.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..graph.keys import is_project
from ..graph.lucene import TermWeight
from ..graph.records import Scope, View
from ..graph.search import ForestSearch
from ..graph.search_records import (
    ALWAYS,
    HopHit,
    JoinHit,
    LeafMessage,
    MessageHit,
    NodeHit,
    Opening,
    TimeRange,
    WordSearch,
)
from .analysis import Question, Resolution
from .parameters import RetrievalParameters
from .s3_structure import Plan

NAME_FIELDS = {"alias_terms": 1.0}

Dense = tuple[list[MessageHit], list[NodeHit]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with all that bounds its searches.

    Attributes:
        question: what it says.
        resolution: whom and what it names.
        scope: what the asker may see.
        views: forests that take part.
        within: times that were given with the question; nothing outside of them is ever seen.
        windows: times that the question speaks of, inside of `within`.
    """

    question: Question
    resolution: Resolution
    scope: Scope
    views: tuple[View, ...]
    within: TimeRange = ALWAYS
    windows: tuple[TimeRange, ...] = ()


@dataclass(slots=True)
class RoundOne:
    """What the searches handed out; nodes of level 1 and above are mixed.

    `worth` tells what each word of the question counts: the score of the one episode that it
    matches best. Rare words score high there, and Lucene tells nothing else of how rare they are.
    """

    messages_by_words: list[MessageHit] = field(default_factory=list)
    messages_by_vector: list[MessageHit] = field(default_factory=list)
    nodes_by_words: list[NodeHit] = field(default_factory=list)
    nodes_by_vector: list[NodeHit] = field(default_factory=list)
    summaries_by_words: list[NodeHit] = field(default_factory=list)
    summaries_by_vector: list[NodeHit] = field(default_factory=list)
    statements: list[MessageHit] = field(default_factory=list)
    worth: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class RoundTwo:
    """What was opened."""

    leaves: list[LeafMessage] = field(default_factory=list)
    named: list[LeafMessage] = field(default_factory=list)
    below: list[LeafMessage] = field(default_factory=list)
    lives: list[LeafMessage] = field(default_factory=list)
    hops: list[HopHit] = field(default_factory=list)
    joined: list[JoinHit] = field(default_factory=list)
    talks: list[LeafMessage] = field(default_factory=list)


async def search_by_vector(
    forests: ForestSearch,
    vector: Sequence[float],
    scope: Scope,
    views: tuple[View, ...],
    span: TimeRange,
    p: RetrievalParameters,
) -> Dense:
    """The messages and the nodes nearest to `vector`, of one stretch of time."""
    return await asyncio.gather(
        forests.messages_by_vector(scope, vector, limit=p.messages_by_vector, within=span),
        forests.nodes_by_vector(scope, vector, limit=p.leaves_by_vector, views=views, within=span),
    )


async def search(
    forests: ForestSearch,
    asked: Asked,
    encoding: Awaitable[Sequence[float]],
    begun: Awaitable[Dense],
    p: RetrievalParameters,
) -> RoundOne:
    """Round one: all searches at once.

    Args:
        encoding: the question's vector.
        begun: the searches by it in all that is visible, which need nothing else.
    """
    scope, within = asked.scope, asked.within
    terms = search_terms(asked, p)
    messages = [
        WordSearch(terms=terms, fields=p.message_fields, limit=p.messages_by_words, within=span)
        for span in (within, *asked.windows)
    ]
    statements = [
        _statement(name, other, within, p) for name, other in asked.resolution.renames[:2]
    ]
    leaves = _leaf_searches(asked, terms, p)
    summaries = WordSearch(
        terms=terms,
        fields=p.summary_fields,
        limit=p.summaries_by_words,
        views=asked.views,
        within=within,
    )
    overviews = [summaries] if "s2" in p.stages else []

    async def in_window(span: TimeRange) -> Dense:
        return await search_by_vector(forests, await encoding, scope, asked.views, span, p)

    weighed = _weighed(terms, p) if View.CHANNEL in asked.views else []
    words = [
        WordSearch(
            terms=[TermWeight(term.term)],
            fields={"terms": 1.0},
            limit=1,
            views=(View.CHANNEL,),
            within=within,
        )
        for term in weighed
    ]
    of_messages, of_nodes, dense, in_windows = await asyncio.gather(
        forests.messages_by_words(scope, messages + statements),
        forests.nodes_by_words(scope, [*leaves, *words, *overviews]),
        begun,
        asyncio.gather(*(in_window(span) for span in asked.windows)),
    )
    out = RoundOne(
        messages_by_words=_joined(of_messages[: len(messages)]),
        statements=_joined(of_messages[len(messages) :]),
        nodes_by_words=_joined(of_nodes[: len(leaves)]),
        summaries_by_words=_joined(of_nodes[len(leaves) + len(words) :]),
        worth={
            term.term: term.weight * hits[0].score
            for term, hits in zip(weighed, of_nodes[len(leaves) :], strict=False)
            if hits
        },
    )
    for near_messages, near_nodes in (dense, *in_windows):
        out.messages_by_vector += near_messages
        out.nodes_by_vector += [hit for hit in near_nodes if hit.level == 1]
        out.summaries_by_vector += near_nodes
    return out


def _joined(parts: Iterable[list[T]]) -> list[T]:
    return [hit for part in parts for hit in part]


def _leaf_searches(
    asked: Asked, terms: Sequence[TermWeight], p: RetrievalParameters
) -> list[WordSearch]:
    """Leaves of channels in each stretch of time, of the other views, and under the names."""

    def one(limit: int, views: tuple[View, ...], **more: Any) -> WordSearch:
        more.setdefault("within", asked.within)
        return WordSearch(terms=terms, fields=p.leaf_fields, limit=limit, views=views, **more)

    searches = []
    if View.CHANNEL in asked.views:
        for span in (asked.within, *asked.windows):
            searches.append(one(p.leaves_by_words, (View.CHANNEL,), within=span))
    others = tuple(view for view in asked.views if view is not View.CHANNEL)
    if others:
        searches.append(one(p.other_leaves_by_words, others))
    names = sorted(asked.resolution.name_terms)
    names += [alias for alias in asked.resolution.aliases if alias not in names]
    if names:
        searches.append(one(p.leaves_by_words, asked.views, headed=names))
    return searches


def _weighed(terms: Sequence[TermWeight], p: RetrievalParameters) -> list[TermWeight]:
    """The heaviest of `terms`, as many as count within windows."""
    return sorted(terms, key=lambda term: -term.weight)[: p.weighed_words]


def _statement(
    name: tuple[str, ...], other: tuple[str, ...], within: TimeRange, p: RetrievalParameters
) -> WordSearch:
    """For the message that says that a project goes by both names."""
    both = [*name, *other]
    return WordSearch(
        terms=[TermWeight(term) for term in (*both, *p.renaming_terms)],
        fields={"terms": 1.0},
        limit=1,
        within=within,
        all_of=both,
    )


def search_terms(asked: Asked, p: RetrievalParameters) -> list[TermWeight]:
    """The terms to search for: names of subjects count less, since subjects act as factors."""
    names = asked.resolution.name_terms
    terms = asked.question.terms(p.part_weight, asked.resolution.aliases)
    parts = {part for word in asked.question.words if word.term in names for part in word.parts}
    lighter = names | set(asked.resolution.aliases)
    out = []
    for term in terms:
        if term.term in parts and term.term not in lighter:
            continue  # the whole name is known: its parts would only bring other names
        weight = term.weight * (p.name_weight if term.term in lighter else 1.0)
        out.append(TermWeight(term.term, weight))
    return out


async def open_up(
    forests: ForestSearch,
    asked: Asked,
    leaves: Sequence[str],
    nodes: Sequence[str],
    plan: Plan,
    statements: Sequence[MessageHit],
    p: RetrievalParameters,
) -> RoundTwo:
    """Round two: the messages of leaves, lives and talks, bridges and joins, all at once."""
    scope, within = asked.scope, asked.within
    out = RoundTwo()
    named = [
        tree
        for subject in asked.resolution.of_view(View.ARTIFACT)
        if not is_project(subject.key)
        for tree in subject.trees
    ]

    s2, s3 = "s2" in p.stages, "s3" in p.stages
    lives = plan.artifacts if s3 else {}
    talks = list(dict.fromkeys(hit.episode for hit in statements if hit.episode))
    openings = [
        Opening(talks if s3 else ()),
        Opening(nodes if s2 else (), leaves=p.summary_leaves, terms=True),
    ]
    out.leaves, (out.talks, out.below), of_trees, out.hops, joined = await asyncio.gather(
        forests.sittings(scope, leaves, silence=p.sitting_minutes, within=within),
        forests.leaf_messages(scope, openings, within=within),
        forests.tree_messages(
            scope,
            list(dict.fromkeys((*named, *lives))),
            limit=p.artifact_messages,
            worded=plan.named,
            within=within,
        ),
        forests.hops(scope, list(plan.seeds) if s3 else (), limit=p.hops_per_seed, within=within),
        asyncio.gather(
            *(
                forests.joined(scope, first, second, limit=p.joined_messages, within=within)
                for first, second in (plan.joins if s3 else ())
            )
        ),
    )
    out.named = [message for message in of_trees if message.below not in lives]
    out.lives = [message for message in of_trees if message.below in lives]
    out.joined = _joined(joined)
    return out
