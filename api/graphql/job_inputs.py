"""What is given to the mutations about jobs. The records are those of docs/jsonl.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from enum import Enum
from typing import Any

import strawberry

from ...graph.records import MessageKind
from ..jobs.appended import Appended
from ..jobs.requests import UploadRequest
from .job_types import Long
from .types.describing import described, value
from .types.enums import ChannelKindName


def _given(text: str, *, default: Any = None) -> Any:
    return described(text, default=default)


REQUEST_ID = (
    "An id of your own for this request. Whoever repeats the request with it gets the same job "
    "instead of another one."
)


@strawberry.enum(description="What an appended record is.")
class MessageKindInput(Enum):
    """What an appended record is."""

    MESSAGE = value(MessageKind.MESSAGE, "What somebody said.")
    HOUSEKEEPING = value(MessageKind.HOUSEKEEPING, "A join or the like: kept, but in no tree.")


@strawberry.input(description="A file or attachment of a message.")
class FileInput:
    """A file or attachment of a message."""

    title: str | None = _given("Its title.")
    name: str | None = _given("Its name.")
    type: str | None = _given("What it is, such as `PDF`.")
    preview: str | None = _given("Its text; 500 characters are kept.")


@strawberry.input(
    description="One state of one message. A message is known by its channel and its id: the "
    "same one again changes nothing."
)
class MessageInput:
    """One state of one message."""

    channel: strawberry.ID = described("Id of the channel.")
    id: strawberry.ID = described("Its id, unique in the channel.")
    time: str = described("When it was posted: ISO 8601 with an offset, such as `Z`.")
    author: strawberry.ID = described("Id of the author.")
    text: str | None = _given("What it says. Needed, unless there are files or it is deleted.")
    thread: strawberry.ID | None = _given("Id of the message that began its thread.")
    reply_to: strawberry.ID | None = _given("Id of the message in this channel that it replies to.")
    mentions: list[strawberry.ID] | None = _given("Ids of the actors it addresses.")
    files: list[FileInput] | None = _given("Files and attachments.")
    revision: strawberry.ID | None = _given(
        "Of an edit: a whole number, or a text that sorts by time. The greatest one is current."
    )
    deleted: bool = _given("The message was deleted.", default=False)
    kind: MessageKindInput = _given("What it is.", default=MessageKindInput.MESSAGE)
    link: str | None = _given("Its address in its source.")


@strawberry.input(description="A description of a channel.")
class ChannelInput:
    """A description of a channel."""

    id: strawberry.ID = described("Its id.")
    name: str | None = _given("What it is called.")
    kind: ChannelKindName = _given("What sort of place it is.", default=ChannelKindName.PUBLIC)
    members: list[strawberry.ID] | None = _given(
        "Ids of its members: of a channel that is not public, they alone may read it."
    )
    purpose: str | None = _given("Its purpose.")
    topic: str | None = _given("Its topic.")
    archived: bool = _given("Whether it is archived.", default=False)


@strawberry.input(description="A description of a person or a bot.")
class ActorInput:
    """A description of a person or a bot."""

    id: strawberry.ID = described("Its id.")
    name: str | None = _given("What the others see.")
    title: str | None = _given("Their position.")
    aliases: list[str] | None = _given("Other names.")
    bot: bool = _given("Whether it is a bot.", default=False)
    deleted: bool = _given("Whether they have left.", default=False)


@strawberry.input(description="Messages to append.")
class AppendMessagesInput:
    """Messages to append."""

    messages: list[MessageInput] = described("At most 1,000, in any order.")
    channels: list[ChannelInput] | None = _given(
        "Channels that are new, or described anew. One that is only named by a message is "
        "public, unless it was described before."
    )
    actors: list[ActorInput] | None = _given("Actors that are new, or described anew.")
    time_zone: str | None = _given("Zone of times without an offset, such as `Europe/Berlin`.")
    wait_seconds: float = _given(
        "Answer when the job has ended, or after so many seconds, at most 30.", default=10.0
    )
    client_request_id: str | None = _given(REQUEST_ID)

    def appended(self) -> Appended:
        """The records.

        Raises:
            ApiError: there is nothing, or too much.
        """
        return Appended(
            [_record(message) for message in self.messages],
            [_record(channel) for channel in self.channels or ()],
            [_record(actor) for actor in self.actors or ()],
            self.time_zone,
        )


@strawberry.input(description="A file to come.")
class StartUploadInput:
    """A file to come."""

    filename: str = described(
        "What it is called: a Slack export ends in `.zip`, JSONL in `.jsonl` or `.ndjson`, with "
        "`.gz` behind it if it is packed."
    )
    bytes: Long = described("Its size.")
    sha256: str = described("Its SHA-256, in hexadecimal.")
    time_zone: str | None = _given("JSONL: zone of times without an offset.")
    permalink_base: str | None = _given("Slack: `https://NAME.slack.com`, for links.")
    client_request_id: str | None = _given(REQUEST_ID)

    def request(self) -> UploadRequest:
        """The same for the service."""
        return UploadRequest(
            self.filename, self.bytes, self.sha256, self.time_zone, self.permalink_base or ""
        )


@strawberry.input(description="What to build anew.")
class RebuildInput:
    """What to build anew."""

    channels: list[str] | None = _given(
        "Ids, keys or names of channels; left out, it is the whole workspace."
    )
    client_request_id: str | None = _given(REQUEST_ID)


def _record(given: object) -> dict[str, Any]:
    """The fields that are given, by the names of docs/jsonl.md."""
    found: dict[str, Any] = {}
    for field in fields(given):  # type: ignore[arg-type]
        said = getattr(given, field.name)
        if said is None or said is False:
            continue
        if isinstance(said, Enum):
            said = said.value.value
        elif isinstance(said, list):
            said = [_record(item) if isinstance(item, FileInput) else item for item in said]
        elif field.name == "revision" and said.isascii() and said.isdigit():
            # Numbers sort as such; GraphQL hands over every id as a text.
            said = int(said)
        found[field.name] = said
    return found


def channel_names(given: Sequence[str] | None) -> list[str]:
    """The channels of a rebuild, each once."""
    return list(dict.fromkeys(given or ()))
