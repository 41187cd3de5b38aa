"""Appended messages on their way to the log: a JSONL file, like every other one.

So they are durable before the request is answered, and what may stand in a record is said in one
place, docs/jsonl.md. Each line carries where it stood in the request.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...builders.sources.jsonl import PLACE
from ..errors import ApiError, ErrorCode

MAX_MESSAGES = 1000
MAX_DESCRIPTIONS = 1000

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Appended:
    """What is appended: records with the fields of docs/jsonl.md.

    Raises:
        ApiError: there is nothing, or too much.
    """

    messages: Sequence[Fields]
    channels: Sequence[Fields] = ()
    actors: Sequence[Fields] = ()
    timezone: str | None = None

    def __post_init__(self) -> None:
        described = len(self.channels) + len(self.actors)
        if not self.messages and not described:
            raise ApiError(
                "There is nothing to append.", "Give at least one message.", argument="messages"
            )
        for number, limit, what in (
            (len(self.messages), MAX_MESSAGES, "messages"),
            (described, MAX_DESCRIPTIONS, "channels and actors"),
        ):
            if number > limit:
                raise ApiError(
                    f"There are {number:,} {what}; the limit is {limit:,}.",
                    "Append them in several requests, or upload a file.",
                    code=ErrorCode.TOO_LARGE,
                    argument=what.partition(" ")[0],
                    limit=limit,
                )

    def lines(self) -> bytes:
        """The file."""
        described = [
            *_lines(self.actors, "actors", "actor"),
            *_lines(self.channels, "channels", "channel"),
            *_lines(self.messages, "messages", "message"),
        ]
        return "".join(described).encode("utf-8", "surrogatepass")


def digest_of(content: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _lines(records: Sequence[Fields], where: str, kind: str) -> list[str]:
    return [
        # ASCII: a lone surrogate is no UTF-8, and its line would be rejected for that alone.
        json.dumps({**record, "type": kind, PLACE: f"{where}[{index}]"}) + "\n"
        for index, record in enumerate(records)
    ]
