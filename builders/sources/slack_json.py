"""JSON from an untrusted export: what can be read of a file is read, the rest is named."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ..errors import SourceError

# A time that somebody's tool wrote as a number keeps its digits only as text.
_DECODER = json.JSONDecoder(parse_float=str)
_SPACE = re.compile(r"[ \t\r\n]*")


class JsonError(SourceError):
    """Text that is no JSON, or not in UTF-8."""


def decode(content: bytes) -> str:
    """`content` as text. Raises `JsonError` if it is not UTF-8 (a byte order mark is fine)."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise JsonError("the file is in UTF-16, not in UTF-8") from error
        raise JsonError(f"the file is not in UTF-8 (byte {error.start})") from error


def parse_json(content: bytes) -> object:
    """The one value in `content`. Raises `JsonError`."""
    text = decode(content)
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise JsonError("the JSON is nested too deeply") from error
    except ValueError as error:
        raise JsonError(_reason(error)) from error


def parse_list(content: bytes) -> Iterator[object | JsonError]:
    """The items of a JSON list; where the text breaks off, a last `JsonError` instead of them.

    One item is in memory at a time. A truncated file gives the items before the break.
    """
    try:
        text = decode(content)
    except JsonError as error:
        yield error
        return
    position = _after_space(text, 0)
    if text[position : position + 1] != "[":
        yield JsonError("the file is no JSON list")
        return
    position = _after_space(text, position + 1)
    if text[position : position + 1] == "]":
        yield from _end(text, position)
        return
    while True:
        try:
            item, position = _DECODER.raw_decode(text, position)
        except RecursionError:
            yield JsonError("from here on the JSON is nested too deeply")
            return
        except ValueError as error:
            yield JsonError(f"from here on the file is damaged: {_reason(error)}")
            return
        yield item
        position = _after_space(text, position)
        if text[position : position + 1] != ",":
            break
        position = _after_space(text, position + 1)
    yield from _end(text, position)


def _end(text: str, position: int) -> Iterator[JsonError]:
    """Nothing if the list that ends at `position` is all there is."""
    if text[position : position + 1] != "]" or _after_space(text, position + 1) != len(text):
        yield JsonError("from here on the file is damaged or cut off")


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _reason(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} in line {error.lineno}, column {error.colno}"
    # Python refuses integers of thousands of digits.
    return "a number is too long"
