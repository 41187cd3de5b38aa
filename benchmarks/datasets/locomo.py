"""LoCoMo: long conversations of two people, one JSON file each, or a list of them in one.

The evidence of a question are the `dia_id`s it names; some entries hold several. Category 5 is
adversarial (its answer is nowhere) and is left out. The pictures are not there: their captions
stand in the text.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ...builders.sources import SourceActor, SourceChannel, SourceMessage
from ..errors import DatasetError
from ..questions import BenchQuestion, Dataset
from .base import Evidence, RecordedSource, after, channel_kind, json_files, message, read_json

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D\d+:\d+")
_TIME = "%I:%M %p on %d %B, %Y"
_SECONDS_PER_TURN = 30
_ADVERSARIAL = 5
_KINDS = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop"}


def load_locomo(folder: Path, within: bool) -> Dataset:
    """Read LoCoMo; with `within` each question searches its own conversation."""
    people: list[SourceActor] = []
    places: list[SourceChannel] = []
    records: list[SourceMessage] = []
    asked: list[tuple[str, datetime, int, dict[str, Any]]] = []
    for path in json_files(folder, "one JSON file per conversation"):
        try:
            for key, data in _conversations(path):
                pair = (str(data["speaker_a"]), str(data["speaker_b"]))
                # Each conversation is a world of its own: the same first name is another person.
                people += [SourceActor(f"{key}:{name}", name) for name in dict.fromkeys(pair)]
                places.append(SourceChannel(key, " and ".join(pair), channel_kind(within)))
                said = _messages(key, data)
                records += said
                asked += [(key, after(said), n, row) for n, row in enumerate(data["qa"])]
        except (KeyError, TypeError, ValueError) as error:
            raise DatasetError(f"{path.name} is not LoCoMo's: {error!r}.") from error
    source = RecordedSource("locomo", tuple(people), tuple(places), tuple(records))
    evidence = Evidence(source.refs())
    questions = tuple(
        BenchQuestion(
            id=f"{key}-{number}",
            text=str(row["question"]),
            kind=_KINDS.get(row["category"], str(row["category"])),
            evidence=evidence.of((key, turn) for turn in _turns(row, evidence)),
            now=now,
            scope_channel=key if within else None,
        )
        for key, now, number, row in asked
        if row["category"] != _ADVERSARIAL
    )
    return Dataset("locomo", source, questions, evidence.notes())


def _conversations(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Key and content of each conversation in a file."""
    content = read_json(path)
    if not isinstance(content, list):
        return [(path.stem, {**content, **(content.get("conversation") or {})})]
    return [
        (str(item.get("sample_id") or f"{path.stem}-{number}"), {**item, **item["conversation"]})
        for number, item in enumerate(content)
    ]


def _messages(key: str, data: dict[str, Any]) -> list[SourceMessage]:
    found: list[SourceMessage] = []
    numbers = sorted(int(m[1]) for name in data if (m := _SESSION.fullmatch(name)))
    for number in numbers:
        stamp = str(data[f"session_{number}_date_time"])
        start = datetime.strptime(stamp, _TIME).replace(tzinfo=UTC)
        for turn, said in enumerate(data[f"session_{number}"] or ()):
            text = str(said["text"])
            caption = said.get("blip_caption")
            found.append(
                message(
                    key,
                    str(said["dia_id"]),
                    start + timedelta(seconds=_SECONDS_PER_TURN * turn),
                    f"{key}:{said['speaker']}",
                    f"{text} [image: {caption}]" if caption else text,
                    raw=text,
                    source_ts=stamp,
                )
            )
    return found


def _turns(row: dict[str, Any], evidence: Evidence) -> list[str]:
    """The turns that a question names; what is unreadable counts as missing."""
    turns: list[str] = []
    for entry in row.get("evidence") or ():
        named = _TURN.findall(str(entry))
        if not named:
            evidence.missed()
        turns += named
    return turns
