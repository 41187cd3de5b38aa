"""GroupMemBench: channels of messages that are not in time order, and six files of questions.

The questions name no evidence. Where a copy adds it (`evidence_msg_ids`), it is taken; else
they serve for latency and size of context only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...builders.sources import SourceActor, SourceChannel, SourceMessage
from ...graph.records import ChannelKind
from ..errors import DatasetError
from ..questions import BenchQuestion, Dataset, MessageRef
from .base import Evidence, RecordedSource, after, message, read_json, read_jsonl, utc

KINDS = (
    "multi_hop",
    "knowledge_update",
    "temporal",
    "term_ambiguity",
    "user_implicit",
    "abstention",
)


def load_groupmembench(folder: Path) -> Dataset:
    """Read one domain of GroupMemBench: its conversation and its questions."""
    found = [
        content
        for path in sorted(folder.rglob("*.json"))
        if _is_conversation(content := read_json(path))
    ]
    if len(found) != 1:
        raise DatasetError(
            f"{folder} holds {len(found)} conversations of GroupMemBench.",
            "Expected is one domain: a JSON file of channels, and the files of its questions.",
        )
    people: dict[str, SourceActor] = {}
    records: list[SourceMessage] = []
    by_node: dict[str, list[MessageRef]] = {}
    try:
        for channel, items in found[0].items():
            records += _messages(str(channel), items, people)
        for record in records:
            ref = (record.channel_id, record.source_id)
            by_node.setdefault(record.source_id, []).append(ref)
        evidence, now = Evidence(ref for refs in by_node.values() for ref in refs), after(records)
        questions = tuple(
            BenchQuestion(
                id=str(row["id"]),
                text=str(row["question"]),
                kind=path.stem,
                evidence=evidence.of(_evidence(row, by_node)),
                now=now,
                asker=asker if (asker := str(row.get("asking_user_id") or "")) in people else None,
            )
            for path in sorted(folder.rglob("*.jsonl"))
            if path.stem in KINDS
            for row in read_jsonl(path)
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DatasetError(f"{folder} is not as GroupMemBench is: {error!r}.") from error
    places = tuple(SourceChannel(str(c), str(c), ChannelKind.PUBLIC) for c in found[0])
    source = RecordedSource("groupmembench", tuple(people.values()), places, tuple(records))
    return Dataset("groupmembench", source, questions, evidence.notes())


def _is_conversation(content: Any) -> bool:
    if not isinstance(content, dict) or not all(isinstance(v, list) for v in content.values()):
        return False
    return any(isinstance(i, dict) and "msg_node" in i for v in content.values() for i in v)


def _messages(
    channel: str, items: list[dict[str, Any]], people: dict[str, SourceActor]
) -> list[SourceMessage]:
    parents = {str(item["msg_node"]): _parent(item) for item in items}
    found: list[SourceMessage] = []
    for item in items:
        author = str(item.get("author") or "unknown")
        people.setdefault(author, SourceActor(author, author, title=str(item.get("role") or "")))
        node, stamp = str(item["msg_node"]), str(item["timestamp"])
        parent = parents[node]
        if parent not in parents or parent == node:
            parent = None
        found.append(
            message(
                channel,
                node,
                utc(stamp),
                author,
                str(item.get("content") or ""),
                source_ts=stamp,
                thread=_root(node, parents) if parent else None,
                reply_to=parent,
            )
        )
    return found


def _parent(item: dict[str, Any]) -> str | None:
    """The message replied to; the files write none as null, "" or "null"."""
    parent = item.get("reply_to")
    return None if parent in (None, "", "null") else str(parent)


def _root(node: str, parents: dict[str, str | None]) -> str | None:
    """The first message of a chain of replies; None for a chain that runs in a circle."""
    seen = {node}
    while (parent := parents[node]) in parents:
        if parent is None or parent in seen:
            return None
        seen.add(parent)
        node = parent
    return node


def _evidence(row: dict[str, Any], by_node: dict[str, list[MessageRef]]) -> list[MessageRef]:
    named = row.get("evidence_msg_ids") or ()
    return [ref for node in named for ref in by_node.get(str(node), [("", str(node))])]
