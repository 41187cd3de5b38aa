"""From a question to an answer: analysis, S1 to S4. No language model runs here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ..graph.lucene import TermWeight
from ..graph.records import Scope, View
from ..graph.search import ForestSearch
from ..graph.search_records import LeafMessage, Overview, TimeRange, TreeHit
from ..graph.store import ForestStore
from ..text.encoders.base import Encoder
from ..text.time_expressions import find_time_ranges, needs_library
from ..text.tokens import TokenCounter, default_token_counter
from . import s1_leaves, s1_windows, s2_summaries, s3_structure, s4_assembly
from .analysis import Naming, Question, Subject, read_question, resolve
from .answer import NOTHING_FOUND, Answer
from .parameters import RetrievalParameters
from .pool import Factors, Pool, factors, view_of
from .rounds import (
    NAME_FIELDS,
    Asked,
    Dense,
    RoundOne,
    RoundTwo,
    open_up,
    search,
    search_by_vector,
)
from .trace import Candidate, Stage, Trace


class Retriever:
    """Answers questions over an opened store. Keeps nothing between questions.

    Args:
        store: opened and prepared; stays the caller's.
        encoder: the one whose vectors are in the graph.
        parameters: all numbers.
        counter: counts tokens; the bundled one if not given.

    Example:
        answer = await Retriever(store, encoder).ask("Who owns OPS-214?", scope)
        print(answer.render())
    """

    def __init__(
        self,
        store: ForestStore,
        encoder: Encoder,
        parameters: RetrievalParameters | None = None,
        counter: TokenCounter | None = None,
    ) -> None:
        self._search = ForestSearch(store)
        self._encoder = encoder
        self._parameters = parameters or RetrievalParameters()
        self._counter = counter or default_token_counter()

    async def ask(
        self,
        question: str,
        scope: Scope,
        *,
        items: int | None = None,
        tokens: int | None = None,
        view: View | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        now: datetime | None = None,
    ) -> Answer:
        """Evidence for `question`, as far as `scope` may see it.

        Args:
            question: any text, in any language.
            scope: workspace, audiences and asker.
            items: most items; the parameters' if not given.
            tokens: most tokens of the rendered context; the parameters' if not given.
            view: only this forest takes part in structure.
            since: only messages from then on, included.
            until: only messages before then.
            now: what "last week" is measured from; the latest visible message if not given.

        Raises:
            ValueError: a time without a zone, or a budget below one.
        """
        p = self._parameters
        items = p.items if items is None else items
        tokens = p.tokens if tokens is None else tokens
        if items < 1 or tokens < 1:
            raise ValueError("The budgets of items and tokens must be at least 1.")
        within = TimeRange(since, until)
        trace = Trace()
        if not any(map(str.isalnum, question)):
            # Vectors have a nearest neighbour for everything, for nothing too.
            with trace.stage(Stage.ANALYSIS) as record:
                record.notes.append("The question has no letter and no digit: nothing to look for.")
            return Answer(question, (), (), self._counter.count(NOTHING_FOUND), trace)
        views = p.views if view is None else (view,)
        encoding = asyncio.create_task(asyncio.to_thread(self._encode, question))
        dense = asyncio.create_task(self._by_vector(encoding, scope, views, within))
        try:
            with trace.stage(Stage.ANALYSIS) as record:
                asked, overview = await self._analyse(question, scope, views, within, now)
                weights = factors(
                    asked.resolution.subjects,
                    asked.windows,
                    messages=overview.messages,
                    days=overview.days,
                    parameters=p,
                )
                record.counts.update(
                    words=len(asked.question.words),
                    subjects=len(asked.resolution.subjects),
                    windows=len(asked.windows),
                )
                record.notes += _analysis_notes(asked)
            with trace.stage(Stage.SEARCH) as record:
                first = await search(self._search, asked, encoding, dense, p)
                record.counts.update(
                    messages_by_words=len(first.messages_by_words),
                    messages_by_vector=len(first.messages_by_vector),
                    nodes_by_words=len(first.nodes_by_words),
                    nodes_by_vector=len(first.nodes_by_vector),
                    summaries=len(first.summaries_by_words) + len(first.summaries_by_vector),
                )
        except BaseException:
            # What nobody waits for any more must not go on, nor complain later.
            await _given_up(encoding, dense)
            raise
        pool, proposals = await self._stages(asked, first, weights, items, trace)
        return await self._assemble(asked, pool, proposals, items, tokens, trace)

    def _encode(self, text: str) -> list[float]:
        vector: list[float] = self._encoder.encode_query(text).tolist()
        return vector

    async def _by_vector(
        self,
        encoding: Awaitable[Sequence[float]],
        scope: Scope,
        views: tuple[View, ...],
        within: TimeRange,
    ) -> Dense:
        return await search_by_vector(
            self._search, await encoding, scope, views, within, self._parameters
        )

    async def _analyse(
        self,
        text: str,
        scope: Scope,
        views: tuple[View, ...],
        within: TimeRange,
        now: datetime | None,
    ) -> tuple[Asked, Overview]:
        """Read the question and look its names up."""
        p = self._parameters
        question = read_question(text)
        asker = [scope.actor] if scope.actor and (question.first_person or question.team) else []
        (hits, overview), own = await asyncio.gather(
            self._search.names(
                scope,
                [TermWeight(term.term) for term in question.terms(p.part_weight)],
                fields=NAME_FIELDS,
                limit=p.subjects_by_words,
            ),
            self._asker(scope, asker, question),
        )
        by_view: dict[View, list[TreeHit]] = {}
        for hit in hits:
            if hit.view in p.views:
                by_view.setdefault(hit.view, []).append(hit)
        resolution = resolve(question, by_view, overview.channels, p)
        if resolution.aliases:
            # Channels may still bear the old name, or already the new one.
            by_view[View.CHANNEL] = await self._also_called(scope, resolution.aliases, by_view)
            resolution = resolve(
                question, by_view, overview.channels, p, aliases=resolution.aliases
            )
        known = {subject.key for subject in own}
        others = tuple(subject for subject in resolution.subjects if subject.key not in known)
        resolution = replace(resolution, subjects=(*own, *others))
        moment = now or overview.latest
        if needs_library(text):
            windows = await asyncio.to_thread(_windows, text, moment, within)
        else:
            windows = _windows(text, moment, within)
        return Asked(question, resolution, scope, views, within, windows), overview

    async def _also_called(
        self, scope: Scope, aliases: Sequence[str], known: dict[View, list[TreeHit]]
    ) -> list[TreeHit]:
        """The channels known so far, and those with a name among `aliases`."""
        more, _ = await self._search.names(
            scope,
            [TermWeight(alias) for alias in aliases],
            fields=NAME_FIELDS,
            limit=self._parameters.subjects_by_words,
            views=(View.CHANNEL,),
        )
        channels = {hit.key: hit for hit in (*known.get(View.CHANNEL, ()), *more)}
        return list(channels.values())

    async def _asker(
        self, scope: Scope, asker: Sequence[str], question: Question
    ) -> tuple[Subject, ...]:
        """The asker, and the asker's own channels where "my team" is spoken of, as subjects."""
        if not asker:
            return ()
        channels: list[str] = []
        if question.team:
            channels = await self._search.circle(scope, limit=self._parameters.team_channels)
        trees = await self._search.trees_of_subjects(scope, [*asker, *channels])
        subjects = []
        for key in (*asker, *channels):
            mine = [tree for tree in trees if tree.subject == key]
            if mine:
                subjects.append(
                    Subject(
                        key,
                        mine[0].view,
                        mine[0].name,
                        tuple(dict.fromkeys(tree.name for tree in mine)),
                        tuple(sorted(tree.key for tree in mine)),
                        sum(tree.size for tree in mine),
                        1.0,
                        Naming.ASKER if key in asker else Naming.TEAM,
                        (),
                    )
                )
        return tuple(subjects)

    async def _stages(
        self, asked: Asked, first: RoundOne, weights: Factors, items: int, trace: Trace
    ) -> tuple[Pool, dict[Stage, list[Candidate]]]:
        """S1 to S3; what they open is read in one round between choosing and ranking."""
        p = self._parameters
        proposals: dict[Stage, list[Candidate]] = {}
        with trace.stage(Stage.S1):
            pool = Pool(p)
            pool.add_hits(first.messages_by_words, pool.by_words)
            pool.add_hits(first.messages_by_vector, pool.by_vector)
            pool.score_own()
            weights = weights.with_persons(1 - pool.broad_share() * (1 - p.broad_person))
            await _breathe()
            leaves = s1_leaves.score_leaves(pool, first.nodes_by_words, first.nodes_by_vector, p)
            opened = leaves.best(View.CHANNEL, weights, p.leaves_opened)
            if View.CHANNEL not in asked.views:
                opened = leaves.best(asked.views[0], weights, p.leaves_opened)
        await _breathe()
        nodes: dict[str, float] = {}
        if "s2" in p.stages:
            with trace.stage(Stage.S2) as record:
                nodes = s2_summaries.choose_nodes(
                    first.summaries_by_words, first.summaries_by_vector, weights, p, record
                )
        with trace.stage(Stage.S3) as record:
            plan = s3_structure.plan(pool, asked.resolution, weights, p)
        with trace.stage(Stage.SEARCH) as record:
            second = await open_up(
                self._search, asked, opened, list(nodes), plan, first.statements, p
            )
            pool.add_leaves(_all_leaves(second))
            for hop in second.hops:
                pool.add_bridged(hop.target, hop.episode)
            for join in second.joined:
                pool.add_bridged(join.message, join.episode)
            record.counts["opened"] = len(second.leaves)
        await _breathe()
        with trace.stage(Stage.S1) as record:
            if "s1" in p.stages:
                around = s1_windows.score_windows(
                    [m for m in second.leaves if view_of(m.leaf) is View.CHANNEL],
                    first.worth,
                    {who.key: who.terms for who in asked.resolution.of_view(View.ACTOR)},
                    p,
                )
                proposals[Stage.S1] = s1_leaves.rank_messages(
                    pool, leaves, around, weights, p, record, wanted=_proposed(items, p)
                )
        await _breathe()
        if "s2" in p.stages:
            with trace.stage(Stage.S2) as record:
                proposals[Stage.S2] = s2_summaries.rank_messages(
                    asked.question, nodes, second.below, pool, weights, p, record
                )
        if "s3" in p.stages:
            with trace.stage(Stage.S3) as record:
                talks = [
                    (hit, [m for m in second.talks if m.below == hit.episode])
                    for hit in first.statements
                ]
                proposals[Stage.S3] = s3_structure.rank_messages(
                    plan, second.lives, second.hops, second.joined, talks, pool, weights, p, record
                )
        await _breathe()
        return pool, proposals

    async def _assemble(
        self,
        asked: Asked,
        pool: Pool,
        proposals: dict[Stage, list[Candidate]],
        items: int,
        tokens: int,
        trace: Trace,
    ) -> Answer:
        """S4: read what is going to be shown, and make it fit."""
        p = self._parameters
        with trace.stage(Stage.S4) as record:
            order = s4_assembly.share_out(proposals, items, p, beyond=p.spare)
            keys = [candidate.key for candidate in order]
            leaf_of = {key: pool.messages[key].heading_leaf() for key in keys}
            shown = list(dict.fromkeys(leaf for leaf in leaf_of.values() if leaf))
            texts, ancestors = await asyncio.gather(
                self._search.message_texts(asked.scope, keys, within=asked.within),
                self._search.ancestors(asked.scope, shown, height=p.heading_height),
            )
            await _breathe()
            chosen, headings, size = s4_assembly.assemble(
                order,
                texts,
                leaf_of,
                ancestors,
                items=items,
                tokens=tokens,
                counter=self._counter,
                parameters=p,
                record=record,
            )
            record.candidates = order[:items]
            record.counts.update(items=len(chosen), headings=len(headings), tokens=size)
        if not chosen:
            size = self._counter.count(NOTHING_FOUND)
        return Answer(asked.question.text, chosen, headings, size, trace)


def _proposed(items: int, p: RetrievalParameters) -> int:
    """How many messages S1 proposes: all items and spares could be its, and a trace shows some."""
    return min(p.candidates, max(2 * items + p.spare, 100))


async def _breathe() -> None:
    """Let others on the event loop have a turn: each step takes some milliseconds of it."""
    await asyncio.sleep(0)


async def _given_up(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _all_leaves(second: RoundTwo) -> list[LeafMessage]:
    return [*second.leaves, *second.named, *second.below, *second.lives, *second.talks]


def _windows(text: str, now: datetime | None, within: TimeRange) -> tuple[TimeRange, ...]:
    """The times a question speaks of, as far as they lie in `within`; at most two."""
    if now is None:
        return ()
    found: list[TimeRange] = []
    for spoken in find_time_ranges(text, now):
        since = spoken.start if within.since is None else max(spoken.start, within.since)
        until = spoken.end if within.until is None else min(spoken.end, within.until)
        if since < until:
            found.append(TimeRange(since, until))
    return tuple(found[:2])


def _analysis_notes(asked: Asked) -> list[str]:
    notes = [
        f"{subject.view} {subject.key}: {subject.naming}, certainty {subject.certainty:.2f}"
        for subject in asked.resolution.subjects[:12]
    ]
    notes += [
        f"{' '.join(name)} is also called {' '.join(other)}"
        for name, other in asked.resolution.renames
    ]
    notes += [
        f"time from {window.since:%Y-%m-%d %H:%M} to {window.until:%Y-%m-%d %H:%M}"
        for window in asked.windows
    ]
    return notes
