"""From one line of a JSONL file to a record. Format: docs/jsonl.md."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from ...graph.records import ChannelKind, MessageKind
from .base import (
    DELETED_REVISION,
    SourceActor,
    SourceChannel,
    SourceMessage,
    clean,
    clean_id,
)

PREVIEW_CHARACTERS = 500
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Seconds beyond the year 5138 are milliseconds that somebody forgot to divide.
_MAX_EPOCH_S = 100_000_000_000
SEE = "See docs/jsonl.md for the format."

Json = object


class LineError(Exception):
    """Why a line cannot be used, and the remedy."""

    def __init__(self, reason: str, remedy: str = SEE, channel_id: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy
        self.channel_id = channel_id


def parse_line(line: bytes | LineError) -> dict[str, Json]:
    """The JSON object on a line. Raises `LineError`."""
    if isinstance(line, LineError):
        raise line
    try:
        record = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise LineError("the line is not in UTF-8") from error
    except json.JSONDecodeError as error:
        raise LineError(f"the line is no JSON: {error.msg} in column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise LineError("the line is no usable JSON") from error
    if not isinstance(record, dict):
        raise LineError("the line is no JSON object")
    return record


def actor_of(value: Json) -> SourceActor:
    """An actor from its id or its description."""
    described = isinstance(value, dict)
    entry = value if isinstance(value, dict) else {"id": value}
    actor_id = _id(entry, "id", "an actor")
    name = clean(_text(entry, "name")).strip()
    aliases = [clean(item) for item in list_of(entry, "aliases") if isinstance(item, str)]
    return SourceActor(
        id=actor_id,
        name=name or actor_id,
        title=clean(_text(entry, "title")).strip(),
        aliases=tuple(dict.fromkeys(alias for alias in aliases if alias.strip())),
        is_bot=entry.get("bot") is True,
        deleted=entry.get("deleted") is True,
        placeholder=not (described and name),
    )


def channel_of(value: Json) -> SourceChannel:
    """A channel from its id or its description."""
    described = isinstance(value, dict)
    entry = value if isinstance(value, dict) else {"id": value}
    channel_id = _id(entry, "id", "a channel")
    kind = entry.get("kind", "public")
    if not isinstance(kind, str) or kind not in set(ChannelKind):
        raise LineError(f"the channel kind {str(kind)[:40]!r} is none of {_kinds()}")
    members = entry.get("members")
    if members is not None and not isinstance(members, list):
        raise LineError("`members` is no list of ids")
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


def message_of(record: dict[str, Json], place: str, zone: tzinfo | None) -> SourceMessage:
    """The message of a line. Raises `LineError`, which names the channel where it is known."""
    channel = channel_of(record.get("channel")).id
    try:
        return _message_in(record, channel, place, zone)
    except LineError as error:
        error.channel_id = channel
        raise


def _message_in(
    record: dict[str, Json], channel: str, place: str, zone: tzinfo | None
) -> SourceMessage:
    source_id = _id(record, "id", "the message")
    source_ts, at = _time(record.get("time"), zone)
    author = actor_of(record.get("author"))
    deleted = record.get("deleted") is True
    kind = record.get("kind", MessageKind.MESSAGE)
    if not isinstance(kind, str) or kind not in {MessageKind.MESSAGE, MessageKind.HOUSEKEEPING}:
        raise LineError(f"the kind {str(kind)[:40]!r} is neither message nor housekeeping")
    if "text" not in record and not deleted and not record.get("files"):
        raise LineError("the message has no text")
    thread = _optional_id(record, "thread")
    reply_to = _optional_id(record, "reply_to")
    thread = None if thread == source_id else thread
    reply_to = None if reply_to == source_id else reply_to or thread
    revision = _revision(record.get("revision"))
    mentions = tuple(dict.fromkeys(actor_of(item).id for item in list_of(record, "mentions")))
    files = tuple(line for item in list_of(record, "files") if (line := _file(item)))
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
            raise LineError(
                f"the time {str(value)[:40]} is not in seconds since 1970",
                "Give seconds, or an ISO time such as 2026-01-31T09:30:00+01:00.",
            )
        return str(value), _EPOCH + timedelta(seconds=value)
    if not isinstance(value, str) or not value.strip():
        raise LineError("the message has no time")
    written = clean(value).strip()
    try:
        at = datetime.fromisoformat(written)
    except ValueError as error:
        raise LineError(
            f"the time {written[:40]!r} is no ISO time",
            "Write it like 2026-01-31T09:30:00+01:00.",
        ) from error
    if at.tzinfo is None:
        if zone is None:
            raise LineError(
                f"the time {written[:40]!r} has no offset",
                "Add one (Z or +01:00), or state the zone of the file with the option timezone.",
            )
        at = at.replace(tzinfo=zone)
    try:
        return written, at.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise LineError(f"the time {written[:40]!r} is out of range") from error


def _revision(value: Json) -> str:
    """A revision as a text that sorts: numbers are padded."""
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**15:
        return f"{value:015d}" if value else ""
    revision = clean_id(value)
    if not revision and value != "":
        raise LineError("`revision` is neither a number nor a text")
    return revision


def _file(value: Json) -> str:
    if isinstance(value, str):
        return " ".join(clean(value).split())
    if not isinstance(value, dict):
        raise LineError("a file is neither a text nor an object")
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
        raise LineError(f"the id of {what} is missing, empty, too long, or no text or number")
    return found


def _optional_id(entry: dict[str, Json], field: str) -> str | None:
    return None if entry.get(field) in (None, "") else _id(entry, field, f"`{field}`")


def _text(entry: dict[str, Json], field: str) -> str:
    value = entry.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise LineError(f"`{field}` is no text")
    return value


def list_of(entry: dict[str, Json], field: str) -> list[Json]:
    """The list in a field, [] if there is none. Raises `LineError`."""
    value = entry.get(field)
    if value is None:
        return []
    if not isinstance(value, list):
        raise LineError(f"`{field}` is no list")
    return value
