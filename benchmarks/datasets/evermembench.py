"""EverMemBench: group chats by day and group, with questions that name day, group and index.

Dialogue files hold `dialogues` (day, then group, then messages), or a list of topics that each
do; question files hold `qars`. Several topics lie in folders of their own, or in one list.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ...builders.sources import SourceActor, SourceChannel, SourceMessage
from ...graph.records import ChannelKind
from ..errors import DatasetError
from ..questions import BenchQuestion, Dataset, MessageRef
from .base import Evidence, RecordedSource, after, message, read_json, utc

_KIND = re.compile(r"(.+?)_Top")
_RANGE = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")
_Place = tuple[str, str, int]
"""Day, group and index of a message: how a question refers to it."""


def load_evermembench(folder: Path) -> Dataset:
    """Read EverMemBench; see the module."""
    files = [folder] if folder.is_file() else sorted(folder.rglob("*.json"))
    contents = [(path, read_json(path)) for path in files]
    topics = [
        (topic, path.parent, days)
        for path, content in contents
        for topic, days in _topics(path, content)
    ]
    if not topics:
        raise DatasetError(
            f"{folder} holds no dialogues of EverMemBench.",
            "Expected is a JSON file with `dialogues`, and one with `qars`.",
        )
    names = [topic for topic, _, _ in topics]
    if len(set(names)) < len(names):
        raise DatasetError(
            f"{folder} holds the same dialogues twice, perhaps in two languages.",
            "Leave one file of dialogues in each folder.",
        )
    log = _Log(prefixed=len(topics) > 1)
    for topic, home, days in topics:
        log.add(topic, home, days)
    source = log.source()
    evidence, now = Evidence(source.refs()), after(source.records)
    questions = tuple(
        BenchQuestion(
            id=str(row.get("id") or f"{path.stem}-{number}"),
            text=str(row["Q"]),
            kind=_kind(str(row.get("id") or "")),
            evidence=evidence.of(log.evidence(row, path.parent, evidence)),
            now=now,
        )
        for path, content in contents
        if isinstance(content, dict)
        for number, row in enumerate(content.get("qars") or ())
        if row.get("Q")
    )
    return Dataset("evermembench", source, questions, evidence.notes())


class _Log:
    """Messages by the way in which questions refer to them."""

    def __init__(self, *, prefixed: bool) -> None:
        self._prefixed = prefixed
        self._people: dict[str, SourceActor] = {}
        self._places: dict[str, SourceChannel] = {}
        self._records: list[SourceMessage] = []
        self._found: dict[_Place, list[tuple[str, Path, MessageRef]]] = defaultdict(list)

    def add(self, topic: str, home: Path, days: dict[str, Any]) -> None:
        for day in sorted(days):
            for group, said in (days[day] or {}).items():
                channel = f"{topic}/{group}" if self._prefixed else str(group)
                self._places.setdefault(
                    channel, SourceChannel(channel, str(group), ChannelKind.PUBLIC)
                )
                # A group that was silent on a day may be null.
                for position, item in enumerate(said or (), start=1):
                    self._add(topic, home, channel, (day, str(group), position), item)

    def _add(
        self, topic: str, home: Path, channel: str, place: _Place, item: dict[str, Any]
    ) -> None:
        day, group, position = place
        index = int(item.get("message_index") or position)
        speaker = str(item.get("speaker") or "unknown")
        self._people.setdefault(speaker, SourceActor(speaker, speaker))
        ref = (channel, f"{day}/{index}")
        text, stamp = str(item.get("dialogue") or item.get("text") or ""), str(item.get("time"))
        at = _time(stamp, day, position)
        self._records.append(message(*ref, at, speaker, text, source_ts=stamp))
        self._found[day, group, index].append((topic, home, ref))

    def source(self) -> RecordedSource:
        return RecordedSource(
            "evermembench",
            tuple(self._people.values()),
            tuple(self._places.values()),
            tuple(self._records),
        )

    def evidence(self, row: dict[str, Any], home: Path, missing: Evidence) -> list[MessageRef]:
        """What `R` of a question refers to, in the question's own topic."""
        refs: list[MessageRef] = []
        for entry in row.get("R") or ():
            for index in indexes(str(entry.get("message_index", ""))):
                found = self._found.get((str(entry.get("date")), str(entry.get("group")), index))
                chosen = _own_topic(found or [], home, str(row.get("id") or ""))
                if chosen is None:
                    missing.missed()
                else:
                    refs.append(chosen)
        return refs


def indexes(text: str) -> list[int]:
    """`"1, 4-5"` as `[1, 4, 5]`."""
    found: list[int] = []
    for first, last in _RANGE.findall(text):
        found += range(int(first), int(last or first) + 1)
    return found


def _own_topic(
    found: list[tuple[str, Path, MessageRef]], home: Path, question: str
) -> MessageRef | None:
    """The one reference that is meant: of the topic that the question's id names, else of the
    topic that lies beside the question's file."""
    tests = (
        lambda topic, _: f"Top{topic}_" in question,
        lambda _, place: place == home,
        lambda *_: True,
    )
    for test in tests:
        fitting = {ref for topic, place, ref in found if test(topic, place)}
        if len(fitting) == 1:
            return fitting.pop()
    return None


def _topics(path: Path, content: Any) -> Iterable[tuple[str, dict[str, Any]]]:
    if isinstance(content, dict) and isinstance(content.get("dialogues"), dict):
        return [(str(content.get("topic_id") or path.parent.name), content["dialogues"])]
    if not isinstance(content, list):
        return []
    merged: dict[str, dict[str, Any]] = defaultdict(dict)
    for item in content:
        if isinstance(item, dict) and isinstance(item.get("dialogues"), dict):
            topic, dialogues = str(item.get("topic_id") or path.parent.name), item["dialogues"]
            # An item of a list holds one day, whose date stands beside the groups.
            days = {str(item["date"]): dialogues} if item.get("date") else dialogues
            merged[topic].update(days)
    return list(merged.items())


def _kind(question: str) -> str:
    match = _KIND.match(question)
    return match[1] if match else "question"


def _time(stamp: str, day: str, position: int) -> datetime:
    try:
        return utc(stamp)
    except ValueError:
        start = datetime.fromisoformat(day).replace(tzinfo=UTC)
        return start + timedelta(seconds=position)
