"""FriendsQA: scenes of a series, one JSON file, without times.

The evidence of a question is the union of its `answers[].utterance_id`. The list of utterances
really is under the key `utterances:`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


def load_friendsqa(folder: Path, within: bool) -> Dataset:
    """Read FriendsQA; with `within` each question searches its own scene."""
    people: dict[str, SourceActor] = {}
    places: list[SourceChannel] = []
    records: list[SourceMessage] = []
    asked: list[tuple[str, dict[str, Any]]] = []
    for path in json_files(folder, "one JSON file"):
        try:
            for scene in read_json(path)["data"]:
                title = str(scene["title"])
                places.append(SourceChannel(title, title, channel_kind(within)))
                turn = 0
                for paragraph in scene["paragraphs"]:
                    for said in paragraph["utterances:"]:
                        speaker = ", ".join(map(str, said["speakers"])) or "unknown"
                        people.setdefault(speaker, SourceActor(speaker, speaker))
                        at = time_of_turn(len(places) - 1, turn)
                        text = str(said["utterance"])
                        records.append(message(title, str(said["uid"]), at, speaker, text))
                        turn += 1
                    asked += [(title, question) for question in paragraph["qas"]]
        except (KeyError, TypeError) as error:
            raise DatasetError(f"{path.name} is not FriendsQA's: {error!r}.") from error
    source = RecordedSource("friendsqa", tuple(people.values()), tuple(places), tuple(records))
    evidence = Evidence(source.refs())
    now = after(records)
    questions = tuple(
        BenchQuestion(
            id=str(question["id"]),
            text=str(question["question"]),
            kind=_kind(str(question["id"]), title),
            evidence=evidence.of(
                (title, str(answer["utterance_id"])) for answer in question["answers"]
            ),
            now=now,
            scope_channel=title if within else None,
        )
        for title, question in asked
    )
    return Dataset("friendsqa", source, questions, evidence.notes())


def _kind(question: str, title: str) -> str:
    """`What` of `s01_e02_c03_What` and of `s01_e02_c03_What_Paraphrased`."""
    return question.removeprefix(f"{title}_").partition("_")[0] or "question"
