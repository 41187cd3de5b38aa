"""QMSum: transcripts of meetings, one JSON file each, without times.

The evidence of a question is `relevant_text_span`: inclusive ranges of turns, given as strings.
General questions have none and are left out. A speaker's label is all that is known of a
person, so the same label is the same actor.
"""

from __future__ import annotations

import re
from pathlib import Path

from ...builders.sources import SourceActor, SourceChannel, SourceMessage
from ..errors import DatasetError
from ..questions import BenchQuestion, Dataset
from .base import (
    Evidence,
    RecordedSource,
    after,
    channel_kind,
    json_files,
    message,
    read_json,
    time_of_turn,
)

# Noises such as {vocalsound}, and {disfmarker} where somebody breaks off.
_MARK = re.compile(r"\{\w+\}")


def load_qmsum(folder: Path, within: bool) -> Dataset:
    """Read QMSum; with `within` each question searches its own meeting."""
    people: dict[str, SourceActor] = {}
    places: list[SourceChannel] = []
    records: list[SourceMessage] = []
    asked: list[tuple[str, int, str, list[tuple[int, int]]]] = []
    for number, path in enumerate(json_files(folder, "one JSON file per meeting")):
        meeting, data = path.stem, read_json(path)
        try:
            places.append(SourceChannel(meeting, meeting, channel_kind(within)))
            for turn, said in enumerate(data["meeting_transcripts"]):
                speaker = str(said["speaker"]).strip() or "unknown"
                people.setdefault(speaker, SourceActor(speaker, speaker))
                raw = str(said["content"])
                text = " ".join(_MARK.sub(" ", raw).split())
                at = time_of_turn(number, turn)
                records.append(message(meeting, str(turn), at, speaker, text or raw, raw=raw))
            for index, query in enumerate(data["specific_query_list"]):
                spans = [(int(a), int(b)) for a, b in query["relevant_text_span"]]
                asked.append((meeting, index, str(query["query"]), spans))
        except (KeyError, TypeError, ValueError) as error:
            raise DatasetError(f"{path.name} is not a meeting of QMSum: {error!r}.") from error
    source = RecordedSource("qmsum", tuple(people.values()), tuple(places), tuple(records))
    evidence = Evidence(source.refs())
    now = after(records)
    questions = tuple(
        BenchQuestion(
            id=f"{meeting}-{index}",
            text=text,
            kind="specific",
            evidence=evidence.of(
                (meeting, str(turn)) for first, last in spans for turn in range(first, last + 1)
            ),
            now=now,
            scope_channel=meeting if within else None,
        )
        for meeting, index, text, spans in asked
    )
    return Dataset("qmsum", source, questions, evidence.notes())
