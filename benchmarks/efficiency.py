"""What an answer costs: milliseconds by stage and tokens of context, asked as users ask."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..builders.progress import Report
from .measures import ANSWER_SIZE
from .systems.base import Asked
from .systems.forest import EgcForest
from .systems.graphrag import GraphragHybrid

WARM_UP = 10
"""Questions asked before the clock counts: caches fill, the database compiles its plans."""


async def cost(
    system: EgcForest, vendor: GraphragHybrid | None, asked: Sequence[Asked], report: Report
) -> dict[str, Any]:
    """Ask every question with default budgets, one after the other, and the vendor's retriever
    right after it, so that both meet the same machine.

    Args:
        vendor: None leaves the comparison out.
    """
    whole: list[float] = []
    stages: dict[str, list[float]] = defaultdict(list)
    tokens: list[int] = []
    for one in asked[:WARM_UP]:
        await system.answer(one, system.parameters)
        if vendor is not None:
            await vendor.call(one, ANSWER_SIZE)
    if vendor is not None:
        vendor.latencies_ms.clear()
    report.step("latency", len(asked))
    for one in asked:
        answer, passed_ms = await system.timed_answer(one)
        whole.append(passed_ms)
        for stage, record in answer.trace.stages.items():
            stages[str(stage)].append(record.ms)
        tokens.append(answer.tokens)
        if vendor is not None:
            await vendor.call(one, ANSWER_SIZE)
        report.advance()
    report.close()
    by_stage = {stage: _spread(values) for stage, values in stages.items()}
    latency: dict[str, Any] = {system.name: {**_spread(whole), "by_stage": by_stage}}
    costs: dict[str, Any] = {"latency_ms": latency, "context_tokens": _spread(tokens)}
    if vendor is not None:
        latency[vendor.name] = _spread(vendor.latencies_ms)
        costs["latency_ratio"] = latency[system.name]["median"] / latency[vendor.name]["median"]
    return costs


def _spread(values: Sequence[float]) -> dict[str, float]:
    sample = np.asarray(values, dtype=float)
    return {
        "median": float(np.median(sample)),
        "p95": float(np.percentile(sample, 95)),
        "mean": float(sample.mean()),
    }
