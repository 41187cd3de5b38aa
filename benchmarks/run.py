"""One run: grow the forest of a dataset, ask every system, study, measure, and tell."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..builders.grouping import GroupingParameters
from ..builders.progress import Report
from ..graph.store import ForestStore
from ..text.encoders import Encoder
from . import studies as study_room
from .analysis import STANDARD_ANALYSIS, find_analysis
from .efficiency import cost
from .errors import BenchmarkError
from .evaluation import STANDARD, Outcome, evaluate, put_questions, summary
from .growth import Grown, grown
from .home import Ground, Where, bench_home, ground
from .log import BenchLog
from .questions import Dataset
from .results import settings_of
from .systems.base import Asked, System
from .systems.forest import EgcForest
from .systems.graphrag import GraphragHybrid
from .systems.plain import Bm25, Dense, Fixed16, HybridConvex, HybridRrf
from .vector_cache import CachedEncoder

_PLAIN: dict[str, Callable[[], System]] = {
    Bm25.name: Bm25,
    Dense.name: Dense,
    HybridRrf.name: HybridRrf,
    HybridConvex.name: HybridConvex,
    Fixed16.name: Fixed16,
}
SYSTEMS = (
    Bm25.name,
    Dense.name,
    HybridRrf.name,
    HybridConvex.name,
    GraphragHybrid.name,
    Fixed16.name,
    EgcForest.name,
)
"""All systems, in the order of tables."""


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """What to run.

    Attributes:
        systems: some of `SYSTEMS`.
        studies: some of `STUDIES`.
        home: folder to run in and to keep; None runs in a temporary one.
        efficiency: whether to measure latency and context.
        analysis: which of `ANALYSES` gives the lexical baselines their terms.
        details: a file for what each system made of each question, one JSON object a line.

    Raises:
        BenchmarkError: a system or a study is unknown.
    """

    systems: tuple[str, ...] = SYSTEMS
    studies: tuple[str, ...] = ()
    home: Path | None = None
    efficiency: bool = True
    analysis: str = STANDARD_ANALYSIS.name
    details: Path | None = None

    def __post_init__(self) -> None:
        _check("system", self.systems, SYSTEMS)
        find_analysis(self.analysis)
        _check("study", self.studies, study_room.STUDIES)


def _check(what: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise BenchmarkError(f"There is no {what} {name!r}.", f"Known are: {', '.join(known)}.")


async def run_benchmark(
    dataset: Dataset, options: BenchOptions, where: Where, encoder: Encoder, report: Report
) -> dict[str, Any]:
    """Run everything that `options` asks for; what comes back can be written as JSON.

    Args:
        where: which Neo4j.
        encoder: makes all vectors.
    """
    with bench_home(options.home) as home:
        cached = CachedEncoder(encoder, home / "vectors.sqlite")
        try:
            return await _Bench(dataset, options, where, home, cached, report).run()
        finally:
            cached.close()


class _Bench:
    """A run in progress."""

    def __init__(
        self,
        dataset: Dataset,
        options: BenchOptions,
        where: Where,
        home: Path,
        encoder: CachedEncoder,
        report: Report,
    ) -> None:
        self._dataset = dataset
        self._options = options
        self._where = where
        self._home = home
        self._encoder = encoder
        self._report = report
        self._outcomes: dict[str, Outcome] = {}
        self._studies: dict[str, Any] = {}

    async def run(self) -> dict[str, Any]:
        grouping = GroupingParameters()
        with ground(self._where, self._home, self._dataset.name, self._report.note) as here:
            async with self._forest(here, grouping) as forest:
                log, asked = await self._questions(forest)
                system = EgcForest(forest.store, self._encoder)
                async with self._vendor(forest.store) as vendor:
                    await self._systems(system, vendor, asked, log)
                    costs = await self._costs(system, vendor, asked)
                await self._retrieval_studies(system, asked, log)
                settings = settings_of(
                    self._dataset,
                    self._encoder,
                    systems=self._options.systems,
                    studies=self._options.studies,
                    analysis=self._options.analysis,
                    grouping=grouping,
                    retrieval=system.parameters,
                    neo4j=await _server_version(forest.store),
                    messages=len(log),
                )
                efficiency = {"build": forest.build, "disk_bytes": here.size_bytes(), **costs}
        await self._growing_studies()
        self._write_details()
        standard = self._outcomes.get(STANDARD)
        return {
            "dataset": self._dataset.name,
            "settings": settings,
            "systems": {
                name: summary(self._outcomes[name], standard) for name in self._options.systems
            },
            "studies": {name: self._studies[name] for name in self._options.studies},
            "efficiency": efficiency,
        }

    def _forest(
        self, here: Ground, grouping: GroupingParameters
    ) -> AbstractAsyncContextManager[Grown]:
        # A private Neo4j in a temporary folder goes as a whole; a server is left as it was.
        lent = self._where.server is not None and self._options.home is None
        return grown(here, self._dataset, grouping, self._encoder, self._report, keep=not lent)

    async def _questions(self, forest: Grown) -> tuple[BenchLog, list[Asked]]:
        analysis = find_analysis(self._options.analysis)
        log = await BenchLog.read(forest.store, forest.workspace, analysis)
        asked = await put_questions(
            self._dataset.questions,
            forest.workspace,
            forest.log_store,
            log,
            self._encoder,
            analysis,
        )
        return log, asked

    @asynccontextmanager
    async def _vendor(self, store: ForestStore) -> AsyncIterator[GraphragHybrid | None]:
        if GraphragHybrid.name not in self._options.systems:
            yield None
            return
        vendor = await GraphragHybrid.open(store, self._encoder)
        try:
            yield vendor
        finally:
            vendor.close()

    async def _systems(
        self,
        ours: EgcForest,
        vendor: GraphragHybrid | None,
        asked: Sequence[Asked],
        log: BenchLog,
    ) -> None:
        wanted = set(self._options.systems)
        if self._options.studies:
            wanted.add(ours.name)
        for name in SYSTEMS:
            if name not in wanted:
                continue
            system = _system(name, ours, vendor)
            self._outcomes[name] = await evaluate(system, asked, log, self._report)

    async def _costs(
        self, ours: EgcForest, vendor: GraphragHybrid | None, asked: Sequence[Asked]
    ) -> dict[str, Any]:
        if not self._options.efficiency or ours.name not in self._options.systems or not asked:
            return {}
        return await cost(ours, vendor, asked, self._report)

    async def _retrieval_studies(
        self, system: EgcForest, asked: Sequence[Asked], log: BenchLog
    ) -> None:
        for study in self._options.studies:
            if study in study_room.RETRIEVAL_STUDIES:
                self._studies[study] = await study_room.retrieval_study(
                    study, system, self._outcomes[system.name], asked, log, self._report
                )
            elif study == "budget":
                self._studies[study] = await study_room.budget_study(
                    system, asked, log, self._report
                )

    async def _growing_studies(self) -> None:
        full = self._outcomes.get(EgcForest.name)
        for study in self._options.studies:
            found: dict[str, Any] = {}
            for name, grouping in study_room.GROWING_STUDIES.get(study, {}).items():
                outcome = await self._grown_variant(f"{study}: {name}", grouping)
                found[name] = study_room.entry(outcome, full)
            if found and full is not None:
                own = study_room.OWN_NAMES[study]
                self._studies[study] = {**found, own: study_room.entry(full)}

    def _write_details(self) -> None:
        if self._options.details is None:
            return
        rows = [row for outcome in self._outcomes.values() for row in outcome.details]
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        self._options.details.parent.mkdir(parents=True, exist_ok=True)
        self._options.details.write_text("".join(lines), encoding="utf-8")

    async def _grown_variant(self, title: str, grouping: GroupingParameters) -> Outcome:
        """The same questions to a forest that is grouped in another way, in a Neo4j of its own."""
        place = f"{self._dataset.name}-{grouping.grouping}-{grouping.k}"
        with ground(self._where, self._home, place, self._report.note) as here:
            async with self._forest(here, grouping) as forest:
                log, asked = await self._questions(forest)
                system = EgcForest(forest.store, self._encoder)
                return await evaluate(system, asked, log, self._report, title)


def _system(name: str, ours: EgcForest, vendor: GraphragHybrid | None) -> System:
    if name == GraphragHybrid.name and vendor is not None:
        return vendor
    return _PLAIN[name]() if name in _PLAIN else ours


async def _server_version(store: ForestStore) -> str:
    rows = await store.read("schema/server")
    return str(rows[0]["versions"][0]) if rows else "unknown"
