"""The project's own sample: a Slack export and `questions.jsonl`, as `examples/README.md` says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...builders.sources import SourceMessage, open_source
from ...graph.records import MessageKind
from ..errors import DatasetError
from ..questions import BenchQuestion, Dataset, MessageRef
from .base import Evidence, after, read_jsonl


def load_sample(folder: Path) -> Dataset:
    """Read the sample from the folder that holds `workspace/` and `questions.jsonl`."""
    if not (folder / "workspace").is_dir():
        raise DatasetError(
            f"{folder} does not hold the sample.",
            "Expected are workspace/ and questions.jsonl, as in examples/.",
        )
    source = open_source(folder / "workspace", "slack")
    said = [
        record
        for record in source.messages()
        if isinstance(record, SourceMessage) and record.kind is MessageKind.MESSAGE
    ]
    evidence = Evidence((record.channel_id, record.source_id) for record in said)
    now = after(said)
    try:
        questions = tuple(
            BenchQuestion(
                id=str(row["id"]),
                text=str(row["question"]),
                kind=str(row["kind"]),
                evidence=evidence.of(_refs(row["evidence"])),
                now=now,
                asker=str(row["asker"]) if row.get("asker") else None,
                forbidden=evidence.of(_refs(row.get("hidden") or ())),
            )
            for row in read_jsonl(folder / "questions.jsonl")
        )
    except (KeyError, TypeError) as error:
        raise DatasetError(f"questions.jsonl is not as expected: {error!r}.") from error
    return Dataset("sample", source, questions, evidence.notes())


def _refs(rows: Any) -> list[MessageRef]:
    return [(str(row["channel"]), str(row["ts"])) for row in rows]
