"""What every source yields: plain records of the export, before keys, workspace and audience.

A source streams. Whatever it cannot use it yields as a `SourceReject` in the place where it
stood, and goes on; so the receipt can account for every record of the export.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from ...graph.records import ChannelKind, MessageKind
from ...text.cleaning import without_surrogates

DELETED_REVISION = "~deleted"
"""Revision of a deletion whose time the export does not tell: it sorts after every other one."""

MAX_ID_CHARACTERS = 255
"""Keys are made of three ids and stand in an index whose entries hold 8 kB."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class SourceActor:
    """A person or a bot, as the export describes it.

    Attributes:
        name: what the others see.
        placeholder: the export does not describe the actor; the name is a guess.
    """

    id: str
    name: str
    real_name: str = ""
    title: str = ""
    aliases: tuple[str, ...] = ()
    is_bot: bool = False
    deleted: bool = False
    placeholder: bool = False


@dataclass(frozen=True, slots=True)
class SourceChannel:
    """A channel or conversation.

    Attributes:
        members: ids of actors; None if the export gives no list, then those who wrote there.
        placeholder: the export does not describe the channel.
    """

    id: str
    name: str
    kind: ChannelKind
    purpose: str = ""
    topic: str = ""
    members: tuple[str, ...] | None = None
    archived: bool = False
    placeholder: bool = False


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """One state of one message.

    Attributes:
        source_id: unique in its channel among the messages (not among their revisions).
        source_ts: the time as the source wrote it; `at`: the same as UTC.
        text: as a person reads it; `raw`: as the source wrote it.
        revision: empty as first posted; else an id that sorts by time.
        thread: id of the thread's root; None outside a thread and on the root itself.
        mentions: ids of actors; `channel_mentions`: ids of channels that any reader of this
            message may know of.
        files: one line per file or attachment: title and text preview.
        introduces: actors that the message names and `actors()` does not.
        place: where it stands in the export, for a person: `general/2024-01-02.json #17`.
        recovered: an earlier state that an edit or deletion event carried; it is no record of
            its own in the export.
    """

    channel_id: str
    source_id: str
    source_ts: str
    at: datetime
    author_id: str
    text: str
    raw: str
    place: str
    kind: MessageKind = MessageKind.MESSAGE
    revision: str = ""
    thread: str | None = None
    reply_to: str | None = None
    mentions: tuple[str, ...] = ()
    channel_mentions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    link: str = ""
    introduces: tuple[SourceActor, ...] = ()
    recovered: bool = False


@dataclass(frozen=True, slots=True)
class SourceReject:
    """Something that could not be used.

    Attributes:
        place: where it stands; reason: what is wrong; remedy: what can be done.
        channel_id: the channel it would have belonged to, "" if none.
        records: how many message records it stands for: 0 for what is no message, 1 for a
            message, and 1 for a stretch of a file whose messages cannot be counted.
    """

    place: str
    reason: str
    remedy: str = ""
    channel_id: str = ""
    records: int = 1


@dataclass(frozen=True, slots=True)
class SourceNote:
    """A decision that the reader of the receipt should know of."""

    text: str


class Source(Protocol):
    """One export, ready to be streamed. Each method may be called again and starts anew."""

    @property
    def name(self) -> str:
        """What a person calls it, such as the file's name."""
        ...

    def total_hint(self) -> int | None:
        """About how many messages there are, for a progress bar; None if unknown."""
        ...

    def actors(self) -> Iterator[SourceActor | SourceReject | SourceNote]:
        """All described actors."""
        ...

    def channels(self) -> Iterator[SourceChannel | SourceReject | SourceNote]:
        """All channels that are known before the messages are read."""
        ...

    def messages(
        self,
    ) -> Iterator[SourceMessage | SourceChannel | SourceReject | SourceNote]:
        """All messages; a channel may turn up on the way, before its first message."""
        ...


def clean(text: str) -> str:
    """`text` without what no database or terminal takes: lone surrogates, control characters.

    Line breaks and tabs stay.
    """
    return _CONTROL.sub("", without_surrogates(text))


def clean_id(value: object) -> str:
    """An id from JSON as a string, "" if it is not usable: any text or integer is accepted."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return ""
    text = clean(value).strip()
    return text if len(text) <= MAX_ID_CHARACTERS else ""
