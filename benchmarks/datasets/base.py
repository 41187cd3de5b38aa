"""What the adapters share: reading JSON, times, a source that holds its records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ...builders.sources import SourceActor, SourceChannel, SourceMessage
from ...builders.sources.base import clean
from ...graph.records import ChannelKind
from ..errors import DatasetError
from ..questions import MessageRef

FIRST_DAY = datetime(2024, 1, 1, 9, tzinfo=UTC)
"""Conversations without times are laid on consecutive days from here on."""

SECONDS_PER_TURN = 5
"""Between two turns of a conversation without times; no turn stands apart by a silence."""


@dataclass(frozen=True)
class RecordedSource:
    """A source whose records are all there already."""

    name: str
    people: tuple[SourceActor, ...]
    places: tuple[SourceChannel, ...]
    records: tuple[SourceMessage, ...]

    def total_hint(self) -> int | None:
        """How many messages there are."""
        return len(self.records)

    def actors(self) -> Iterator[SourceActor]:
        """All people."""
        return iter(self.people)

    def channels(self) -> Iterator[SourceChannel]:
        """All channels."""
        return iter(self.places)

    def messages(self) -> Iterator[SourceMessage]:
        """All messages."""
        return iter(self.records)

    def refs(self) -> Iterator[MessageRef]:
        """How questions name the messages."""
        return ((record.channel_id, record.source_id) for record in self.records)


class Evidence:
    """Checks that evidence exists in the log, and remembers how much of it does not."""

    def __init__(self, known: Iterable[MessageRef]) -> None:
        self._known = frozenset(known)
        self._missing = 0

    def of(self, refs: Iterable[MessageRef]) -> frozenset[MessageRef]:
        """Those of `refs` that name a message of the log."""
        wanted = frozenset(refs)
        found = wanted & self._known
        self._missing += len(wanted) - len(found)
        return found

    def missed(self, count: int = 1) -> None:
        """Count references that cannot even be read."""
        self._missing += count

    def notes(self) -> tuple[str, ...]:
        """A sentence about what was missing; nothing if nothing was."""
        if not self._missing:
            return ()
        return (f"{self._missing} references to evidence name no message and were left out.",)


def read_json(path: Path) -> Any:
    """The content of a JSON file.

    Raises:
        DatasetError: it cannot be read.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DatasetError(f"{path.name} cannot be read as JSON: {error}.") from error


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one JSON object a line; empty lines are skipped.

    Raises:
        DatasetError: it cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise DatasetError(f"{path.name} cannot be read as JSON lines: {error}.") from error


def json_files(folder: Path, expected: str) -> list[Path]:
    """JSON files of `folder`, by name; those of its subfolders if it has none itself.

    Raises:
        DatasetError: there are none; `expected` says what should be there.
    """
    if folder.is_file():
        return [folder]
    files = sorted(folder.glob("*.json")) or sorted(folder.rglob("*.json"))
    if not files:
        raise DatasetError(f"{folder} holds no JSON file.", f"Expected is {expected}.")
    return files


def time_of_turn(conversation: int, turn: int) -> datetime:
    """When a turn of a conversation without times is taken to have been said."""
    return FIRST_DAY + timedelta(days=conversation, seconds=SECONDS_PER_TURN * turn)


def utc(text: str) -> datetime:
    """An ISO time; one without a zone is taken as UTC. Raises `ValueError`."""
    at = datetime.fromisoformat(text.strip())
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def after(messages: Iterable[SourceMessage]) -> datetime:
    """One second after the last of `messages`: the time at which questions are asked."""
    last = max((message.at for message in messages), default=FIRST_DAY)
    return last + timedelta(seconds=1)


def channel_kind(within: bool) -> ChannelKind:
    """Private where each question searches its own channel: the audience is that predicate."""
    return ChannelKind.PRIVATE if within else ChannelKind.PUBLIC


def message(
    channel: str,
    source_id: str,
    at: datetime,
    author: str,
    text: str,
    *,
    raw: str | None = None,
    source_ts: str | None = None,
    thread: str | None = None,
    reply_to: str | None = None,
    mentions: tuple[str, ...] = (),
    introduces: tuple[SourceActor, ...] = (),
) -> SourceMessage:
    """A record for the log. `raw` and `source_ts` are `text` and `at` if not given."""
    return SourceMessage(
        channel_id=channel,
        source_id=source_id,
        source_ts=source_ts if source_ts is not None else at.isoformat(),
        at=at,
        author_id=author,
        text=clean(text).strip(),
        raw=clean(raw if raw is not None else text),
        place=f"{channel} #{source_id}",
        thread=thread,
        reply_to=reply_to,
        mentions=mentions,
        introduces=introduces,
    )
