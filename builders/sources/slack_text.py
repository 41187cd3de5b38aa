"""Slack's message markup as a person reads it.

Slack keeps `<@U1>`, `<#C1|name>`, `<!here>`, `<url|label>` and `&amp;` in its texts; formatting
marks (`*bold*`), code and emoji names (`:tada:`) are what people typed and stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

_MARKUP = re.compile(r"<([^<>\n]+)>")
_ENTITY = re.compile(r"&(amp|lt|gt);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">"}
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:\S", re.IGNORECASE)
_FENCE = "```"


class Names(Protocol):
    """What ids are called in this export."""

    def actor_name(self, actor_id: str, label: str) -> str:
        """The name of an actor; `label` is what the text itself offers, or ""."""
        ...

    def channel_name(self, channel_id: str, label: str) -> str:
        """The name of a channel, as any reader of the message may see it."""
        ...


@dataclass(slots=True)
class Named:
    """The ids that a message names, each with the label the text gave it (or "")."""

    actors: dict[str, str] = field(default_factory=dict)
    channels: dict[str, str] = field(default_factory=dict)


def render_mrkdwn(text: str, names: Names, named: Named) -> str:
    """`text` as a person reads it; the ids it names are added to `named`."""
    if "<" not in text:
        return unescape(text)
    parts = text.split(_FENCE)
    for index, part in enumerate(parts):
        in_code = index % 2 == 1 and index < len(parts) - 1
        parts[index] = _render_part(part, names, named, in_code=in_code)
    return _FENCE.join(parts)


def unescape(text: str) -> str:
    """`text` with Slack's three entities resolved, each once."""
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda match: _ENTITIES[match[1]], text)


def labelled_link(url: str, label: str) -> str:
    """`label (url)`; only the url if the label repeats it."""
    label = label.strip()
    bare = url.removeprefix("mailto:").removeprefix("tel:")
    shortened = bare.removeprefix("https://").removeprefix("http://").rstrip("/")
    if not label or label.rstrip("/") in {url.rstrip("/"), bare.rstrip("/"), shortened}:
        return bare
    return f"{label} ({bare})"


def date_text(seconds: object, fallback: str = "") -> str:
    """The fallback of a date mark, else its day and time in UTC."""
    if fallback:
        return fallback
    try:
        at = datetime.fromtimestamp(int(str(seconds)), UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return at.strftime("%Y-%m-%d %H:%M UTC")


def _render_part(part: str, names: Names, named: Named, *, in_code: bool) -> str:
    pieces: list[str] = []
    end = 0
    for match in _MARKUP.finditer(part):
        pieces.append(unescape(part[end : match.start()]))
        pieces.append(_render_markup(match[1], names, named, in_code=in_code))
        end = match.end()
    pieces.append(unescape(part[end:]))
    return "".join(pieces)


def _render_markup(body: str, names: Names, named: Named, *, in_code: bool) -> str:
    target, _, label = body.partition("|")
    label = unescape(label)
    sign, rest = target[0] if target else "", target[1:]
    if sign == "@" and rest:
        # The first label wins, an empty one never hides a later one.
        named.actors[rest] = named.actors.get(rest) or label.removeprefix("@")
        return "@" + names.actor_name(rest, label.removeprefix("@"))
    if sign == "#" and rest:
        named.channels[rest] = named.channels.get(rest) or label.removeprefix("#")
        return "#" + names.channel_name(rest, label.removeprefix("#"))
    if sign == "!" and rest:
        return _render_special(rest, label)
    if _ADDRESS.match(target):
        # Slack makes links of addresses in code too; there a person reads just the words.
        return label if in_code and label else labelled_link(unescape(target), label)
    # Not Slack's markup: somebody's own angle brackets.
    return unescape(f"<{body}>")


def _render_special(command: str, label: str) -> str:
    kind, _, rest = command.partition("^")
    if kind == "date":
        return date_text(rest.partition("^")[0], label)
    if kind == "subteam":
        return "@" + (label.removeprefix("@") or rest)
    return "@" + (label.removeprefix("@") or kind)
