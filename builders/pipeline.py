"""From an export to grown forests: the public entry of the builders.

Example:
    async with await ForestStore.open(config) as store:
        await store.prepare(EncoderIdentity.of(encoder))
        receipt = await ingest(source, "acme", store, encoder)
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from ..graph.errors import AudienceChangedError
from ..graph.forest_records import Sized
from ..graph.forest_store import TreeStore
from ..graph.log_store import LogStore
from ..graph.records import View
from ..graph.store import ForestStore
from ..text.encoders.base import Encoder
from .grouping import GroupingParameters
from .growth import Grown, Growth
from .lease import building_lease
from .log import append_source
from .progress import Report, SilentReport
from .reading import update_reading
from .receipt import Receipt
from .sources.base import Source
from .summaries import ExtractiveSummariser, Summariser
from .trees import FORMAT
from .vectors import encode_pending

BATCH_MESSAGES = 4000
"""Subjects are built together up to about so many messages: that bounds memory, and a batch is
large enough to hide the round trips."""

WORKERS = 2
"""Batches in progress at once: one is planned while the other one is read or written."""

_MAX_ROUNDS = 100


@dataclass(slots=True)
class BuildReport:
    """What one build did.

    Attributes:
        seconds: by step: "names", "channel", "actor" and "artifact" (at the same time),
            "vectors".
        counts: by view, the subjects built; "trees", "nodes" and "bridges" written, "deleted
            trees", "message vectors", "node vectors".
        waited_s: for another builder of the same workspace.
    """

    workspace: str
    seconds: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    waited_s: float = 0.0

    def count(self, what: str, number: int) -> None:
        """`number` more of `what`."""
        self.counts[what] = self.counts.get(what, 0) + number

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Add the time inside to the seconds of `step`."""
        started = time.perf_counter()
        try:
            yield
        finally:
            passed = time.perf_counter() - started
            self.seconds[step] = self.seconds.get(step, 0.0) + passed

    def __str__(self) -> str:
        times = ", ".join(f"{step} {s:.1f} s" for step, s in self.seconds.items())
        counts = ", ".join(f"{number:,} {what}" for what, number in self.counts.items() if number)
        return f"Forests of {self.workspace}: {counts or 'nothing to do'} ({times})"


class ForestBuilder:
    """Grows the forests of workspaces, and keeps them up to date.

    What is built depends on the log alone, not on the order or the batches in which it came. A
    build may be interrupted at any point; the next one ends in the same graph.

    Args:
        store: the graph, opened and prepared for `encoder`.
        encoder: makes the vectors; None leaves them to a later build.
        grouping: how trees are cut.
        summariser: writes the summaries; the extractive one by default.
        report: is told the progress.
    """

    def __init__(
        self,
        store: ForestStore,
        encoder: Encoder | None,
        *,
        grouping: GroupingParameters | None = None,
        summariser: Summariser | None = None,
        report: Report | None = None,
    ) -> None:
        self._store = store
        self._encoder = encoder
        self._grouping = grouping or GroupingParameters()
        self._summariser = summariser or ExtractiveSummariser()
        self._report = report or SilentReport()

    async def build(self, workspace: str) -> BuildReport:
        """Bring everything up to date with the log.

        A second builder of the same workspace waits until the first has finished, in whatever
        process it runs, and does what is left.

        Raises:
            LeaseLostError: another builder took over; build again.
            GraphError: the database fails; what was written stays and counts.
        """
        done = BuildReport(workspace)
        for left in reversed(range(_MAX_ROUNDS)):
            try:
                await self._build(TreeStore(self._store, workspace), done)
                break
            except AudienceChangedError:
                # What it had read may be private by now: read again.
                if not left:
                    raise
        self._report.close()
        return done

    async def _build(self, trees: TreeStore, done: BuildReport) -> None:
        async with building_lease(trees) as waited:
            done.waited_s += waited
            for _ in range(_MAX_ROUNDS):
                await self._round(trees, done)
                # More may have been logged meanwhile.
                if not await trees.is_pending():
                    break
            if self._encoder is not None:
                with done.timed("vectors"):
                    messages, nodes = await encode_pending(trees, self._encoder, self._report)
                done.count("message vectors", messages)
                done.count("node vectors", nodes)

    def _identity(self) -> str:
        shape = "|".join(self._grouping.identity(view) for view in View)
        return f"{FORMAT}|{self._summariser.name}|{shape}"

    async def _round(self, trees: TreeStore, done: BuildReport) -> None:
        """Build what is marked: channels, then the actors and artifacts that they touch."""
        channels = await trees.begin(self._identity())
        actors, artifacts = ([], []) if channels else await trees.claim()
        if not (channels or actors or artifacts):
            return
        with done.timed("names"):
            reading, stale, names = await update_reading(trees, channels)
            if stale:
                channels = await trees.begin(self._identity())
        growth = Growth(trees, reading, names, self._grouping, self._summariser)
        if channels:
            self._report.step("Growing channel trees", len(channels))
            await self._grow(View.CHANNEL, channels, growth.channels, done)
            actors, artifacts = await trees.claim()
        self._report.step("Growing actor and artifact trees", len(actors) + len(artifacts))
        await _together(
            self._grow(View.ACTOR, actors, growth.actors, done),
            self._grow(View.ARTIFACT, artifacts, growth.artifacts, done),
        )

    async def _grow(
        self,
        view: View,
        subjects: Sequence[Sized],
        build: Callable[[Sequence[str]], Awaitable[Grown]],
        done: BuildReport,
    ) -> None:
        batches = _batches(subjects)

        async def work() -> None:
            for batch in batches:
                grown = await build(batch)
                done.count(f"{view.value}s", len(batch))
                done.count("trees", grown.trees)
                done.count("nodes", grown.nodes)
                done.count("deleted trees", grown.deleted)
                done.count("bridges", grown.bridges)
                self._report.advance(len(batch))

        if subjects:
            with done.timed(view.value):
                await _together(*(work() for _ in range(WORKERS)))


async def _together(*work: Coroutine[None, None, None]) -> None:
    """Do it all at once. The first that fails ends the others, and its error is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            for one in work:
                group.create_task(one)
    except BaseExceptionGroup as failed:
        error: BaseException = failed
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from error.__cause__


def _batches(subjects: Sequence[Sized]) -> Iterator[list[str]]:
    batch: list[str] = []
    messages = 0
    for key, size in subjects:
        if batch and messages + size > BATCH_MESSAGES:
            yield batch
            batch, messages = [], 0
        batch.append(key)
        messages += size + 1
    if batch:
        yield batch


async def ingest(
    source: Source,
    workspace: str,
    store: ForestStore,
    encoder: Encoder | None,
    *,
    grouping: GroupingParameters | None = None,
    summariser: Summariser | None = None,
    report: Report | None = None,
    introducer: str | None = None,
) -> tuple[Receipt, BuildReport]:
    """Log what `source` holds and grow the forests: everything is searchable on return.

    Args:
        source: an opened export.
        workspace: where to; it is made if it does not exist.
        store: the graph, opened and prepared for `encoder`.
        encoder, grouping, summariser, report: as for `ForestBuilder`.
        introducer: as for `LogStore`.

    Returns:
        What became of every record, and what was built.
    """
    receipt = await append_source(
        source, workspace, LogStore(store, introducer=introducer), report=report
    )
    builder = ForestBuilder(store, encoder, grouping=grouping, summariser=summariser, report=report)
    return receipt, await builder.build(workspace)
