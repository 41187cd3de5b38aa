"""Records as rows of parameters, and properties of nodes as records."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from .log_plan import NewEntry
from .lucene import stamp
from .records import ActorRecord, ChannelKind, ChannelRecord, MessageKind, MessageRecord

CAPTION_LENGTH = 60


def caption(name: str, text: str) -> str:
    """A label for a person: who, and the first words, at most 60 characters."""
    label = f"{name}: {' '.join(text[:200].split())}"
    return label if len(label) <= CAPTION_LENGTH else f"{label[: CAPTION_LENGTH - 1]}…"


def as_utc(value: Any) -> datetime:
    """A time from the database, or any aware one, as a datetime in UTC."""
    native: datetime = value if isinstance(value, datetime) else value.to_native()
    return native.astimezone(UTC)


def message_row(
    entry: NewEntry, terms: str, audience: str, author_name: str, channel_name: str
) -> dict[str, Any]:
    """The properties of a `Message` node; what is empty is left out to keep writes small."""
    record = entry.record
    row: dict[str, Any] = {
        "key": record.key,
        "workspace": record.workspace,
        "channel": record.channel,
        "audience": audience,
        "author": record.author,
        "source_id": record.source_id,
        "source_ts": record.source_ts,
        "at": record.at.astimezone(UTC),
        "stamp": stamp(record.at),
        "text": record.text,
        "content": entry.content,
        "kind": record.kind.value,
        "revision": record.revision,
        "live": entry.live,
        "author_name": author_name,
        "channel_name": channel_name,
        "caption": caption(author_name, record.text),
    }
    if record.raw != record.text:
        row["raw"] = record.raw
    if entry.live:
        row["terms"] = terms
        row["encode_pending"] = record.workspace
    for name in ("thread", "reply_to", "link"):
        if value := getattr(record, name):
            row[name] = value
    for name in ("mentions", "channel_mentions", "identifiers", "identifier_titles", "files"):
        if values := getattr(record, name):
            row[name] = list(values)
    return row


def message_record(node: Mapping[str, Any]) -> MessageRecord:
    """The record that the properties of a `Message` node hold."""
    return MessageRecord(
        key=node["key"],
        workspace=node["workspace"],
        channel=node["channel"],
        audience=node["audience"],
        source_id=node["source_id"],
        source_ts=node["source_ts"],
        at=as_utc(node["at"]),
        author=node["author"],
        text=node["text"],
        raw=node.get("raw", node["text"]),
        kind=MessageKind(node["kind"]),
        revision=node["revision"],
        thread=node.get("thread"),
        reply_to=node.get("reply_to"),
        mentions=tuple(node.get("mentions") or ()),
        channel_mentions=tuple(node.get("channel_mentions") or ()),
        identifiers=tuple(node.get("identifiers") or ()),
        identifier_titles=tuple(node.get("identifier_titles") or ()),
        files=tuple(node.get("files") or ()),
        link=node.get("link") or "",
    )


def actor_record(node: Mapping[str, Any]) -> ActorRecord:
    """The record that the properties of an `Actor` node hold."""
    return ActorRecord(
        key=node["key"],
        workspace=node["workspace"],
        source_id=node["source_id"],
        name=node["name"],
        real_name=node.get("real_name") or "",
        title=node.get("title") or "",
        aliases=tuple(node.get("aliases") or ()),
        is_bot=bool(node.get("is_bot")),
        deleted=bool(node.get("is_deleted")),
        placeholder=bool(node.get("placeholder")),
    )


def channel_record(node: Mapping[str, Any], members: tuple[str, ...] = ()) -> ChannelRecord:
    """The record that the properties of a `Channel` node hold."""
    return ChannelRecord(
        key=node["key"],
        workspace=node["workspace"],
        source_id=node["source_id"],
        name=node["name"],
        kind=ChannelKind(node["kind"]),
        audience=node["audience"],
        purpose=node.get("purpose") or "",
        topic=node.get("topic") or "",
        members=members,
        archived=bool(node.get("archived")),
        placeholder=bool(node.get("placeholder")),
    )
