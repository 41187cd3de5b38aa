"""The rounds of database work behind one question: what is asked at once, and with what.

Round zero looks names up while the question is encoded. Round one runs all searches concurrently.
Round two opens what round one pointed at. Round three reads texts and headings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

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
    TimeRange,
)
from .analysis import Question, Resolution
from .parameters import RetrievalParameters
from .s3_structure import Plan

NAME_FIELDS = {"alias_terms": 1.0}


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with all that bounds its searches.

    Attributes:
        question: what it says.
        resolution: whom and what it names.
        vector: its vector.
        scope: what the asker may see.
        views: forests that take part.
        within: times that were given with the question; nothing outside of them is ever seen.
        windows: times that the question speaks of, inside of `within`.
    """

    question: Question
    resolution: Resolution
    vector: Sequence[float]
    scope: Scope
    views: tuple[View, ...]
    within: TimeRange = ALWAYS
    windows: tuple[TimeRange, ...] = ()


@dataclass(slots=True)
class RoundOne:
    """What the searches handed out; nodes of level 1 and above are mixed."""

    messages_by_words: list[MessageHit] = field(default_factory=list)
    messages_by_vector: list[MessageHit] = field(default_factory=list)
    nodes_by_words: list[NodeHit] = field(default_factory=list)
    nodes_by_vector: list[NodeHit] = field(default_factory=list)
    summaries_by_words: list[NodeHit] = field(default_factory=list)
    summaries_by_vector: list[NodeHit] = field(default_factory=list)
    statements: list[MessageHit] = field(default_factory=list)


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


async def search(forests: ForestSearch, asked: Asked, p: RetrievalParameters) -> RoundOne:
    """Round one: all searches at once."""
    out = RoundOne()
    scope, within = asked.scope, asked.within
    terms = search_terms(asked, p)
    spans = (within, *asked.windows)

    async def words_of_messages(span: TimeRange) -> None:
        out.messages_by_words += await forests.messages_by_words(
            scope, terms, fields=p.message_fields, limit=p.messages_by_words, within=span
        )

    async def vectors_of_messages(span: TimeRange) -> None:
        out.messages_by_vector += await forests.messages_by_vector(
            scope, asked.vector, limit=p.messages_by_vector, within=span
        )

    async def words_of_nodes(span: TimeRange, views: tuple[View, ...], limit: int) -> None:
        out.nodes_by_words += await forests.nodes_by_words(
            scope, terms, fields=p.leaf_fields, limit=limit, views=views, within=span
        )

    async def words_of_named_nodes(names: Sequence[str]) -> None:
        out.nodes_by_words += await forests.nodes_by_words(
            scope,
            terms,
            fields=p.leaf_fields,
            limit=p.leaves_by_words,
            views=asked.views,
            within=within,
            headed=names,
        )

    async def vectors_of_nodes(span: TimeRange) -> None:
        hits = await forests.nodes_by_vector(
            scope, asked.vector, limit=p.leaves_by_vector, views=asked.views, within=span
        )
        out.nodes_by_vector += [hit for hit in hits if hit.level == 1]
        out.summaries_by_vector += hits

    async def words_of_summaries() -> None:
        out.summaries_by_words += await forests.nodes_by_words(
            scope,
            terms,
            fields=p.summary_fields,
            limit=p.summaries_by_words,
            views=asked.views,
            within=within,
        )

    async def statement(name: tuple[str, ...], other: tuple[str, ...]) -> None:
        both = [*name, *other]
        out.statements += await forests.messages_by_words(
            scope,
            [TermWeight(term) for term in (*both, *p.renaming_terms)],
            fields={"terms": 1.0},
            limit=1,
            within=within,
            all_of=both,
        )

    work = []
    for span in spans:
        work += [words_of_messages(span), vectors_of_messages(span)]
        if View.CHANNEL in asked.views:
            work.append(words_of_nodes(span, (View.CHANNEL,), p.leaves_by_words))
        work.append(vectors_of_nodes(span))
    others = tuple(view for view in asked.views if view is not View.CHANNEL)
    if others:
        work.append(words_of_nodes(within, others, p.other_leaves_by_words))
    names = sorted(asked.resolution.name_terms)
    names += [alias for alias in asked.resolution.aliases if alias not in names]
    if names:
        work.append(words_of_named_nodes(names))
    if "s2" in p.stages:
        work.append(words_of_summaries())
    if "s3" in p.stages:
        work += [statement(name, other) for name, other in asked.resolution.renames[:2]]
    await asyncio.gather(*work)
    return out


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

    async def joins() -> None:
        for first, second in plan.joins:
            out.joined += await forests.joined(
                scope, first, second, limit=p.joined_messages, within=within
            )

    async def none() -> list[LeafMessage]:
        return []

    s2, s3 = "s2" in p.stages, "s3" in p.stages
    talks = list(dict.fromkeys(hit.episode for hit in statements if hit.episode))
    found = asyncio.gather(
        forests.leaf_messages(scope, leaves, leaves=1, within=within),
        forests.tree_messages(scope, named, limit=p.artifact_messages, within=within),
        forests.leaf_messages(scope, nodes, leaves=p.summary_leaves, within=within)
        if s2
        else none(),
        forests.tree_messages(scope, list(plan.artifacts), limit=p.artifact_messages, within=within)
        if s3
        else none(),
        forests.leaf_messages(scope, talks, leaves=1, within=within) if s3 else none(),
    )
    if s3:
        out.hops, _ = await asyncio.gather(
            forests.hops(scope, list(plan.seeds), limit=p.hops_per_seed, within=within), joins()
        )
    out.leaves, out.named, out.below, out.lives, out.talks = await found
    return out
