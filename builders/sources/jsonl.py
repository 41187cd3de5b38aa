"""The JSONL source: one message a line, for whatever has no importer. Format: docs/jsonl.md."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, cast
from zoneinfo import ZoneInfo

from ..errors import ArchiveLimitError, SourceError
from .base import (
    SourceActor,
    SourceChannel,
    SourceMessage,
    SourceNote,
    SourceReject,
    clean,
)
from .jsonl_lines import SEE, Json, LineError, actor_of, channel_of, list_of, message_of, parse_line
from .slack_archive import ArchiveLimits

MAX_LINE_BYTES = 16 * 1024 * 1024
PLACE = "_place"
"""Where a line stands for whoever sent it, in the files that the service writes itself."""

# Below this size even a perfect ratio is harmless.
_RATIO_MATTERS_ABOVE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class JsonlOptions:
    """What a file does not say.

    Attributes:
        timezone: name of the zone that times without an offset are in (`Europe/Berlin`); None
            rejects such messages.
        name: what a person calls it, if that is not the name of the file.
        places: lines tell by `_place` where they stand; their number says nothing.
        limits: of a packed file, `max_ratio` and `max_total_bytes` hold.
    """

    timezone: str | None = None
    name: str = ""
    places: bool = False
    limits: ArchiveLimits = field(default_factory=ArchiveLimits)


@dataclass(slots=True)
class _Survey:
    total: int
    actors: dict[str, SourceActor]
    channels: dict[str, SourceChannel]


class JsonlSource:
    """A file of messages, one JSON object a line, plain or packed with gzip.

    Raises:
        SourceError: the file is not there, or the time zone is unknown.
    """

    def __init__(self, path: Path, options: JsonlOptions | None = None) -> None:
        if not path.is_file():
            raise SourceError(f"There is no file {str(path)!r}.", "Check the path.")
        self._path = path
        self._options = options or JsonlOptions()
        zone = self._options.timezone
        self._zone = _zone(zone) if zone else None

    @property
    def name(self) -> str:
        """What the file is called."""
        return clean(self._options.name or self._path.name)

    def total_hint(self) -> int:
        """The number of message lines."""
        return self._survey.total

    def actors(self) -> Iterator[SourceActor | SourceReject | SourceNote]:
        """Everybody that a line describes or an author's id stands for."""
        yield from self._survey.actors.values()

    def channels(self) -> Iterator[SourceChannel | SourceReject | SourceNote]:
        """All channels that lines describe or name."""
        yield from self._survey.channels.values()

    def messages(
        self,
    ) -> Iterator[SourceMessage | SourceChannel | SourceReject | SourceNote]:
        """All messages in the file's order."""
        for number, line in self._lines():
            place = "" if self._options.places else f"{self.name} line {number}"
            entry = _entry(line, place, self._zone)
            if entry is not None:
                yield entry

    @cached_property
    def _survey(self) -> _Survey:
        found = _Survey(0, {}, {})
        for _, line in self._lines():
            try:
                record = parse_line(line)
            except LineError:
                continue
            kind = record.get("type", "message")
            found.total += kind == "message"
            _look_at(record, kind, found)
        return found

    def _lines(self) -> Iterator[tuple[int, bytes | LineError]]:
        with closing(self._open()) as stream:
            number = size = 0
            while True:
                number += 1
                try:
                    line = stream.readline(MAX_LINE_BYTES + 1)
                    if len(line) > MAX_LINE_BYTES:
                        _skip_line(stream)
                        yield (
                            number,
                            LineError(f"the line is longer than {MAX_LINE_BYTES:,} bytes"),
                        )
                        continue
                except (OSError, EOFError, zlib.error) as error:
                    reason = f"from here on the file is damaged: {error}"
                    yield number, LineError(reason, "Write the file again.")
                    return
                if not line:
                    return
                size += len(line)
                self._check_size(number, size)
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if line.strip():
                    yield number, line

    def _check_size(self, number: int, size: int) -> None:
        limits = self._options.limits
        packed = max(self._path.stat().st_size, 1) if size > _RATIO_MATTERS_ABOVE_BYTES else size
        if size > limits.max_ratio * packed:
            raise ArchiveLimitError(
                f"{self.name} looks like a bomb: up to line {number:,} it unpacks to more than "
                f"{limits.max_ratio:g} times its packed size.",
                "Raise max_ratio if you trust the file.",
            )
        if size > limits.max_total_bytes:
            raise ArchiveLimitError(
                f"{self.name} unpacks to more than {limits.max_total_bytes:,} bytes "
                f"(line {number:,}).",
                "Raise max_total_bytes if you trust the file.",
            )

    def _open(self) -> BinaryIO:
        try:
            stream = self._path.open("rb")
        except OSError as error:
            raise SourceError(f"{self.name} cannot be opened: {error.strerror}.") from error
        if stream.read(2) == b"\x1f\x8b":
            stream.close()
            return cast(BinaryIO, gzip.open(self._path, "rb"))
        stream.seek(0)
        return stream


def _skip_line(stream: BinaryIO) -> None:
    while (rest := stream.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
        pass


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise SourceError(
            f"The time zone {name!r} is unknown.", "Give a name such as Europe/Berlin or UTC."
        ) from error


def _entry(
    line: bytes | LineError, place: str, zone: tzinfo | None
) -> SourceMessage | SourceReject | None:
    """What a line gives; None for a description, which the survey has read."""
    kind: Json = "message"
    try:
        record = parse_line(line)
        place = place or str(record.get(PLACE, ""))
        kind = record.get("type", "message")
        if kind == "message":
            return message_of(record, place, zone)
        if kind == "actor":
            actor_of(record)
        elif kind == "channel":
            channel_of(record)
        else:
            return SourceReject(place, f"the type {str(kind)[:40]!r} is unknown", SEE)
    except LineError as error:
        records = 0 if kind in ("actor", "channel") else 1
        return SourceReject(place, error.reason, error.remedy, error.channel_id, records)
    return None


def _look_at(record: dict[str, Json], kind: Json, found: _Survey) -> None:
    """Remember the actors and channels of one line; a later, fuller description wins."""
    try:
        if kind == "actor":
            _keep_actor(found, actor_of(record))
        elif kind == "channel":
            _keep_channel(found, channel_of(record))
        elif kind == "message":
            _keep_channel(found, channel_of(record.get("channel")))
            _keep_actor(found, actor_of(record.get("author")))
            for mention in list_of(record, "mentions"):
                _keep_actor(found, actor_of(mention))
    except LineError:
        # The reading of the messages names it.
        return


def _keep_actor(found: _Survey, actor: SourceActor) -> None:
    known = found.actors.get(actor.id)
    if known is None or not actor.placeholder:
        found.actors[actor.id] = actor


def _keep_channel(found: _Survey, channel: SourceChannel) -> None:
    known = found.channels.get(channel.id)
    if known is None or not channel.placeholder:
        found.channels[channel.id] = channel
