"""EGCForest itself, asked through the same entry as by everybody."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from ...graph.store import ForestStore
from ...retrieval.answer import Answer
from ...retrieval.parameters import RetrievalParameters
from ...retrieval.pipeline import Retriever
from ...retrieval.trace import Stage
from ...text.encoders import Encoder
from .base import Asked

UNBOUNDED_TOKENS = 10_000_000
"""So that the number of messages alone limits a ranking."""


class EgcForest:
    """The rank order is the order in which S4 hands messages out.

    Args:
        parameters: those of every question; items and tokens are set for each ranking.
    """

    name = "egcforest"

    def __init__(
        self,
        store: ForestStore,
        encoder: Encoder,
        parameters: RetrievalParameters | None = None,
    ) -> None:
        self._store = store
        self._encoder = encoder
        self.parameters = parameters or RetrievalParameters()

    def changed(self, parameters: RetrievalParameters) -> EgcForest:
        """The same forest asked with other parameters."""
        return EgcForest(self._store, self._encoder, parameters)

    async def rank(self, asked: Asked, depth: int) -> Sequence[str]:
        """The items of an answer that may hold `depth` messages."""
        answer = await self.answer(
            asked, replace(self.parameters, items=depth, tokens=UNBOUNDED_TOKENS)
        )
        return [item.key for item in answer.items]

    async def timed_answer(self, asked: Asked) -> tuple[Answer, float]:
        """The answer under the system's own budgets, and how many milliseconds it took."""
        started = time.perf_counter()
        answer = await self.answer(asked, self.parameters)
        return answer, (time.perf_counter() - started) * 1000

    async def answer(self, asked: Asked, parameters: RetrievalParameters) -> Answer:
        """The whole answer under `parameters`."""
        retriever = Retriever(self._store, self._encoder, parameters)
        return await retriever.ask(asked.question.text, asked.scope, now=asked.question.now)


class WithoutAssembly:
    """What S1 to S3 propose, by score, before S4 shares out the budget: for a study."""

    name = "without_assembly"

    def __init__(self, system: EgcForest) -> None:
        self._system = system

    async def rank(self, asked: Asked, depth: int) -> Sequence[str]:
        """Candidates of the three stages by score; the earlier stage first where equal."""
        answer = await self._system.answer(asked, replace(self._system.parameters, items=depth))
        best: dict[str, float] = {}
        for stage in (Stage.S1, Stage.S2, Stage.S3):
            record = answer.trace.stages.get(stage)
            for candidate in record.candidates if record else ():
                best[candidate.key] = max(candidate.score, best.get(candidate.key, 0.0))
        return sorted(best, key=lambda key: -best[key])[:depth]
