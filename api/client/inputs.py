"""What is appended. The fields are those of docs/jsonl.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from .enums import ChannelKind, MessageKind
from .errors import BadInputError


class _Input(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        # A misspelt field would be lost without a word.
        extra="forbid",
        coerce_numbers_to_str=True,
        hide_input_in_errors=True,
    )


class NewFile(_Input):
    """A file of a message; of `preview`, its text, 500 characters are kept."""

    title: str | None = None
    name: str | None = None
    type: str | None = None
    preview: str | None = None


class NewMessage(_Input):
    """One state of one message. It is known by channel and id: the same again changes nothing.

    Attributes:
        channel: id of the channel.
        id: unique in the channel.
        time: when it was posted: a time with an offset, or a text in ISO 8601.
        author: id of the author.
        text: what it says; needed, unless there are files or it is deleted.
        thread: id of the message that began its thread.
        reply_to: id of the message that it replies to, in the same channel.
        mentions: ids of the actors it addresses.
        revision: of an edit: a number, or a text that sorts by time. The greatest is current.
        link: its address in its source.
    """

    channel: str
    id: str
    time: datetime | str
    author: str
    text: str | None = None
    thread: str | None = None
    reply_to: str | None = None
    mentions: list[str] | None = None
    files: list[NewFile] | None = None
    revision: str | None = None
    deleted: bool = False
    kind: MessageKind = MessageKind.MESSAGE
    link: str | None = None


class NewChannel(_Input):
    """A channel that is new, or described anew. Unless it is public, `members` alone read it."""

    id: str
    name: str | None = None
    kind: ChannelKind = ChannelKind.PUBLIC
    members: list[str] | None = None
    purpose: str | None = None
    topic: str | None = None
    archived: bool = False


class NewActor(_Input):
    """A person or a bot who is new, or described anew."""

    id: str
    name: str | None = None
    title: str | None = None
    aliases: list[str] | None = None
    bot: bool = False
    deleted: bool = False


I = TypeVar("I", NewMessage, NewChannel, NewActor)  # noqa: E741


def records(kind: type[I], given: Iterable[I | Mapping[str, Any]], what: str) -> list[Any]:
    """What is given, as the variables of the mutation want it.

    Args:
        kind: the class of each.
        given: instances, or mappings with the same fields.
        what: the argument's name, for errors.

    Raises:
        BadInputError: one of them is not usable. The error quotes nothing of it.
    """
    made = []
    for index, one in enumerate(given):
        try:
            record = one if isinstance(one, kind) else kind.model_validate(one)
            made.append(record.model_dump(mode="json", by_alias=True, exclude_defaults=True))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise BadInputError(
                f"{what}[{index}]{'.' * bool(where)}{where}: {first['msg']}.",
                "docs/jsonl.md has the fields.",
                details={"argument": what},
            ) from None
    return made
