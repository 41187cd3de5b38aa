"""Results of an invented run, in the form that `run_benchmark` gives."""

from __future__ import annotations

from typing import Any

from egcforest.benchmarks.measures import MEASURES


def entry(value: float, **more: Any) -> dict[str, Any]:
    """An entry of which every measure is `value`."""
    return {**dict.fromkeys(MEASURES, value), "questions": 4, **more}


def results() -> dict[str, Any]:
    """Two systems, three studies, and what they cost."""
    test = {"P@20": {"difference": 0.25, "ratio": 2.0, "p": 0.0123}}
    spread = {"median": 41.0, "p95": 99.0, "mean": 50.0}
    return {
        "dataset": "invented",
        "settings": {
            "messages": 1234,
            "questions": {"asked": 5, "measured": 4},
            "notes": ["One reference was left out."],
        },
        "systems": {
            "hybrid_rrf": entry(0.25),
            "egcforest": entry(
                0.5, versus_hybrid_rrf=test, by_type={"who": entry(0.75), "when": entry(0.125)}
            ),
        },
        "studies": {
            "stages": {"S1": entry(0.375), "all": entry(0.5)},
            "budget": {
                "20": {"precision": 0.5, "recall": 0.25, "tokens": 900.0, "questions": 4},
                "50": {"precision": 0.25, "recall": 0.5, "tokens": 2100.0, "questions": 4},
            },
        },
        "efficiency": {
            "build": {"seconds": {"log": 1.5, "all": 9.25}, "reused": False},
            "disk_bytes": 3 * 2**20,
            "latency_ms": {
                "egcforest": {**spread, "by_stage": {"search": spread}},
                "neo4j_graphrag_hybrid": spread,
            },
            "latency_ratio": 1.0,
            "context_tokens": spread,
        },
    }
