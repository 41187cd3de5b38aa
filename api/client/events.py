"""Server-sent events, read from bytes as they come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Line ends of the standard. `str.splitlines` knows more, which may stand within JSON.
_LINE_END = re.compile(rb"\r\n|\n|\r")
_LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its name, and the lines of its data in one."""

    name: str
    data: str


class EventDecoder:
    """Makes events of bytes. Comments, which keep a connection open, make none.

    Raises:
        ValueError: on `feed`, one event is larger than 64 MiB, or no UTF-8.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._name = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that end in `chunk`."""
        self._rest += chunk
        if self._size + len(self._rest) > _LARGEST:
            raise ValueError("An event is too large.")
        # A carriage return at the end may be half of a line end.
        end = len(self._rest) - self._rest.endswith(b"\r")
        *lines, last = _LINE_END.split(self._rest[:end])
        self._rest = last + self._rest[end:]
        for line in lines:
            event = self._line(line.decode("utf-8"))
            if event is not None:
                yield event

    def _line(self, line: str) -> Event | None:
        if not line:
            event = Event(self._name or "message", "\n".join(self._data)) if self._data else None
            # What ends a stream may come without data.
            if event is None and self._name:
                event = Event(self._name, "")
            self._name, self._data, self._size = "", [], 0
            return event
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "data":
            self._data.append(value)
            self._size += len(value)
        return None
