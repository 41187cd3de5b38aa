"""The JSONL source: one message a line, for whatever has no importer. Format: docs/jsonl.md."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, cast
from zoneinfo import ZoneInfo

from ...graph.records import ChannelKind, MessageKind
from ..errors import SourceError
from .base import (
    DELETED_REVISION,
    SourceActor,
    SourceChannel,
    SourceMessage,
    SourceNote,
    SourceReject,
    clean,
    clean_id,
)

MAX_LINE_BYTES = 16 * 1024 * 1024
PREVIEW_CHARACTERS = 500
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Seconds beyond the year 5138 are milliseconds that somebody forgot to divide.
_MAX_EPOCH_S = 100_000_000_000
_SEE = "See docs/jsonl.md for the format."

Json = object


@dataclass(frozen=True, slots=True)
class JsonlOptions:
    """What a file does not say.

    Attributes:
        timezone: name of the zone that times without an offset are in (`Europe/Berlin`); None
            rejects such messages.
    """

    timezone: str | None = None


class _LineError(Exception):
    """Why a line cannot be used, and the remedy."""

    def __init__(self, reason: str, remedy: str = _SEE, channel_id: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy
        self.channel_id = channel_id


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
        zone = (options or JsonlOptions()).timezone
        self._zone = _zone(zone) if zone else None

    @property
    def name(self) -> str:
        """The file's name."""
        return clean(self._path.name)

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
            entry = _entry(line, f"{self.name} line {number}", self._zone)
            if entry is not None:
                yield entry

    @cached_property
    def _survey(self) -> _Survey:
        found = _Survey(0, {}, {})
        for _, line in self._lines():
            try:
                record = _parsed(line)
            except _LineError:
                continue
            kind = record.get("type", "message")
            found.total += kind == "message"
            _look_at(record, kind, found)
        return found

    def _lines(self) -> Iterator[tuple[int, bytes | _LineError]]:
        with closing(self._open()) as stream:
            number = 0
            while True:
                number += 1
                try:
                    line = stream.readline(MAX_LINE_BYTES + 1)
                    if len(line) > MAX_LINE_BYTES:
                        _skip_line(stream)
                        yield (
                            number,
                            _LineError(f"the line is longer than {MAX_LINE_BYTES:,} bytes"),
                        )
                        continue
                except (OSError, EOFError, zlib.error) as error:
                    reason = f"from here on the file is damaged: {error}"
                    yield number, _LineError(reason, "Write the file again.")
                    return
                if not line:
                    return
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if line.strip():
                    yield number, line

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


def _parsed(line: bytes | _LineError) -> dict[str, Json]:
    if isinstance(line, _LineError):
        raise line
    try:
        record = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _LineError("the line is not in UTF-8") from error
    except json.JSONDecodeError as error:
        raise _LineError(f"the line is no JSON: {error.msg} in column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise _LineError("the line is no usable JSON") from error
    if not isinstance(record, dict):
        raise _LineError("the line is no JSON object")
    return record


def _entry(
    line: bytes | _LineError, place: str, zone: tzinfo | None
) -> SourceMessage | SourceReject | None:
    """What a line gives; None for a description, which the survey has read."""
    kind: Json = "message"
    try:
        record = _parsed(line)
        kind = record.get("type", "message")
        if kind == "message":
            return _message(record, place, zone)
        if kind == "actor":
            _actor(record)
        elif kind == "channel":
            _channel(record)
        else:
            return SourceReject(place, f"the type {str(kind)[:40]!r} is unknown", _SEE)
    except _LineError as error:
        records = 0 if kind in ("actor", "channel") else 1
        return SourceReject(place, error.reason, error.remedy, error.channel_id, records)
    return None


def _look_at(record: dict[str, Json], kind: Json, found: _Survey) -> None:
    """Remember the actors and channels of one line; a later, fuller description wins."""
    try:
        if kind == "actor":
            _keep_actor(found, _actor(record))
        elif kind == "channel":
            _keep_channel(found, _channel(record))
        elif kind == "message":
            _keep_channel(found, _channel(record.get("channel")))
            _keep_actor(found, _actor(record.get("author")))
            for mention in _list(record, "mentions"):
                _keep_actor(found, _actor(mention))
    except _LineError:
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


def _actor(value: Json) -> SourceActor:
    """An actor from its id or its description."""
    described = isinstance(value, dict)
    entry = value if isinstance(value, dict) else {"id": value}
    actor_id = _id(entry, "id", "an actor")
    name = clean(_text(entry, "name")).strip()
    aliases = [clean(item) for item in _list(entry, "aliases") if isinstance(item, str)]
    return SourceActor(
        id=actor_id,
        name=name or actor_id,
        title=clean(_text(entry, "title")).strip(),
        aliases=tuple(dict.fromkeys(alias for alias in aliases if alias.strip())),
        is_bot=entry.get("bot") is True,
        deleted=entry.get("deleted") is True,
        placeholder=not (described and name),
    )


def _channel(value: Json) -> SourceChannel:
    """A channel from its id or its description."""
    described = isinstance(value, dict)
    entry = value if isinstance(value, dict) else {"id": value}
    channel_id = _id(entry, "id", "a channel")
    kind = entry.get("kind", "public")
    if not isinstance(kind, str) or kind not in set(ChannelKind):
        raise _LineError(f"the channel kind {str(kind)[:40]!r} is none of {_kinds()}")
    members = entry.get("members")
    if members is not None and not isinstance(members, list):
        raise _LineError("`members` is no list of ids")
    ids = (
        None if members is None else tuple(_id({"id": item}, "id", "a member") for item in members)
    )
    return SourceChannel(
        id=channel_id,
        name=clean(_text(entry, "name")).strip() or channel_id,
        kind=ChannelKind(kind),
        purpose=clean(_text(entry, "purpose")),
        topic=clean(_text(entry, "topic")),
        members=ids if ids is None else tuple(dict.fromkeys(ids)),
        archived=entry.get("archived") is True,
        # An object with just the id tells no more than the id.
        placeholder=not described or set(entry) <= {"id", "type"},
    )


def _kinds() -> str:
    return ", ".join(ChannelKind)


def _message(record: dict[str, Json], place: str, zone: tzinfo | None) -> SourceMessage:
    channel = _channel(record.get("channel")).id
    try:
        return _message_of_channel(record, channel, place, zone)
    except _LineError as error:
        error.channel_id = channel
        raise


def _message_of_channel(
    record: dict[str, Json], channel: str, place: str, zone: tzinfo | None
) -> SourceMessage:
    source_id = _id(record, "id", "the message")
    source_ts, at = _time(record.get("time"), zone)
    author = _actor(record.get("author"))
    deleted = record.get("deleted") is True
    kind = record.get("kind", MessageKind.MESSAGE)
    if not isinstance(kind, str) or kind not in {MessageKind.MESSAGE, MessageKind.HOUSEKEEPING}:
        raise _LineError(f"the kind {str(kind)[:40]!r} is neither message nor housekeeping")
    if "text" not in record and not deleted and not record.get("files"):
        raise _LineError("the message has no text")
    thread = _optional_id(record, "thread")
    reply_to = _optional_id(record, "reply_to")
    thread = None if thread == source_id else thread
    reply_to = None if reply_to == source_id else reply_to or thread
    revision = _revision(record.get("revision"))
    mentions = tuple(dict.fromkeys(_actor(item).id for item in _list(record, "mentions")))
    files = tuple(line for item in _list(record, "files") if (line := _file(item)))
    raw = _text(record, "text")
    text = clean(raw).strip()
    message = SourceMessage(
        channel_id=channel,
        source_id=source_id,
        source_ts=source_ts,
        at=at,
        author_id=author.id,
        text=text,
        raw=clean(raw),
        place=place,
        kind=MessageKind(kind) if text or files else MessageKind.HOUSEKEEPING,
        revision=revision,
        thread=thread,
        reply_to=reply_to,
        mentions=mentions,
        files=files,
        link=clean(_text(record, "link")).strip(),
    )
    if deleted:
        return replace(
            message,
            text="",
            raw="",
            kind=MessageKind.TOMBSTONE,
            revision=revision or DELETED_REVISION,
            mentions=(),
            files=(),
        )
    return message


def _time(value: Json, zone: tzinfo | None) -> tuple[str, datetime]:
    """The time as written and in UTC."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if not math.isfinite(value) or not 0 <= value < _MAX_EPOCH_S:
            raise _LineError(
                f"the time {str(value)[:40]} is not in seconds since 1970",
                "Give seconds, or an ISO time such as 2026-01-31T09:30:00+01:00.",
            )
        return str(value), _EPOCH + timedelta(seconds=value)
    if not isinstance(value, str) or not value.strip():
        raise _LineError("the message has no time")
    written = clean(value).strip()
    try:
        at = datetime.fromisoformat(written)
    except ValueError as error:
        raise _LineError(
            f"the time {written[:40]!r} is no ISO time",
            "Write it like 2026-01-31T09:30:00+01:00.",
        ) from error
    if at.tzinfo is None:
        if zone is None:
            raise _LineError(
                f"the time {written[:40]!r} has no offset",
                "Add one (Z or +01:00), or state the zone of the file with the option timezone.",
            )
        at = at.replace(tzinfo=zone)
    try:
        return written, at.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise _LineError(f"the time {written[:40]!r} is out of range") from error


def _revision(value: Json) -> str:
    """A revision as a text that sorts: numbers are padded."""
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**15:
        return f"{value:015d}" if value else ""
    revision = clean_id(value)
    if not revision and value != "":
        raise _LineError("`revision` is neither a number nor a text")
    return revision


def _file(value: Json) -> str:
    if isinstance(value, str):
        return " ".join(clean(value).split())
    if not isinstance(value, dict):
        raise _LineError("a file is neither a text nor an object")
    name, title = clean(_text(value, "name")).strip(), clean(_text(value, "title")).strip()
    about = ", ".join(
        part
        for part in (name if title and name != title else "", clean(_text(value, "type")))
        if part
    )
    head = title or name or "file"
    preview = " ".join(clean(_text(value, "preview")).split())
    if len(preview) > PREVIEW_CHARACTERS:
        preview = preview[: PREVIEW_CHARACTERS - 1] + "…"
    head = f"{head} ({about})" if about else head
    return f"{head}: {preview}" if preview else head


def _id(entry: dict[str, Json], field: str, what: str) -> str:
    found = clean_id(entry.get(field))
    if not found:
        raise _LineError(f"the id of {what} is missing, empty, too long, or no text or number")
    return found


def _optional_id(entry: dict[str, Json], field: str) -> str | None:
    return None if entry.get(field) in (None, "") else _id(entry, field, f"`{field}`")


def _text(entry: dict[str, Json], field: str) -> str:
    value = entry.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _LineError(f"`{field}` is no text")
    return value


def _list(entry: dict[str, Json], field: str) -> list[Json]:
    value = entry.get(field)
    if value is None:
        return []
    if not isinstance(value, list):
        raise _LineError(f"`{field}` is no list")
    return value
