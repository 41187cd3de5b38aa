"""The text of Slack's structured content: blocks, attachments (unfurled links) and files."""

from __future__ import annotations

from collections.abc import Iterator

from .slack_text import Named, Names, date_text, labelled_link, render_mrkdwn, unescape

PREVIEW_CHARACTERS = 500
_MAX_DEPTH = 12
_SECTIONS = {"rich_text_section", "rich_text_quote", "rich_text_preformatted"}

Json = object


def text_of(value: Json, key: str) -> str:
    """`value[key]` if that is a text, else ""."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def dicts(value: Json) -> list[dict[str, Json]]:
    """The objects of a JSON list; [] for anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def blocks_text(blocks: Json, names: Names, named: Named) -> str:
    """All text of a message's blocks, in order, one line per block or list item."""
    walker = _BlockWalker(names, named)
    lines = (line for block in dicts(blocks) for line in walker.lines(block, 0))
    return "\n".join(line for line in lines if line.strip())


def only_rich_text(blocks: Json) -> bool:
    """Whether the blocks just repeat the text that a person typed."""
    return all(block.get("type") == "rich_text" for block in dicts(blocks))


def attachment_text(attachment: dict[str, Json], names: Names, named: Named) -> str:
    """An attachment in full: what a bot wrote that put its words there, or an unfurled link."""
    lines = [render_mrkdwn(text_of(attachment, "pretext"), names, named)]
    title, link = text_of(attachment, "title"), text_of(attachment, "title_link")
    if title:
        lines.append(
            labelled_link(unescape(link), unescape(title))
            if link
            else render_mrkdwn(title, names, named)
        )
    lines.append(render_mrkdwn(text_of(attachment, "text"), names, named))
    for item in dicts(attachment.get("fields")):
        label = render_mrkdwn(text_of(item, "title"), names, named)
        value = render_mrkdwn(text_of(item, "value"), names, named)
        lines.append(f"{label}: {value}" if label and value else label or value)
    lines.append(blocks_text(attachment.get("blocks"), names, named))
    for message_block in dicts(attachment.get("message_blocks")):
        message = message_block.get("message")
        if not text_of(attachment, "text") and isinstance(message, dict):
            lines.append(blocks_text(message.get("blocks"), names, named))
    said = "\n".join(line for line in lines if line.strip())
    return said or render_mrkdwn(text_of(attachment, "fallback"), names, named)


def attachment_line(attachment: dict[str, Json], names: Names, named: Named) -> str:
    """An attachment in one line: who, what, a preview, where from."""
    author = text_of(attachment, "author_name") or text_of(attachment, "service_name")
    said = _preview(attachment_text(attachment, names, named))
    address = text_of(attachment, "from_url") or text_of(attachment, "original_url")
    line = ": ".join(part for part in (unescape(author), said) if part)
    address = unescape(address)
    return f"{line} ({address})" if address and address not in line and line else line or address


def file_line(file: dict[str, Json]) -> str:
    """A file in one line: `title (name, kind): preview`. Its address is left out: it carries
    a token that opens the file.
    """
    if text_of(file, "mode") in {"tombstone", "hidden_by_limit"}:
        why = "deleted" if file.get("mode") == "tombstone" else "hidden by Slack's limit"
        return f"file {text_of(file, 'id')} ({why})".replace("  ", " ")
    name, title = text_of(file, "name"), text_of(file, "title")
    kind = text_of(file, "pretty_type") or text_of(file, "filetype") or text_of(file, "mimetype")
    about = ", ".join(unescape(part) for part in (name if name != title else "", kind) if part)
    head = unescape(title or name or text_of(file, "id") or "file")
    head = f"{head} ({about})" if about else head
    preview = _preview(unescape(_file_preview(file)))
    return f"{head}: {preview}" if preview else head


def _file_preview(file: dict[str, Json]) -> str:
    transcription = file.get("transcription")
    spoken = transcription.get("preview") if isinstance(transcription, dict) else None
    comment = text_of(file.get("initial_comment"), "comment")
    shown = (
        text_of(file, "preview_plain_text")
        or text_of(file, "plain_text")
        or text_of(file, "preview")
        or text_of(spoken, "content")
        or text_of(file, "alt_txt")
    )
    return " ".join(part for part in (comment, shown) if part)


def _preview(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= PREVIEW_CHARACTERS else line[: PREVIEW_CHARACTERS - 1] + "…"


class _BlockWalker:
    def __init__(self, names: Names, named: Named) -> None:
        self._names = names
        self._named = named

    def lines(self, block: dict[str, Json], depth: int) -> Iterator[str]:
        """The lines of one block. Kinds unknown here give whatever text they hold."""
        if depth > _MAX_DEPTH:
            return
        kind = text_of(block, "type")
        if kind in _SECTIONS:
            yield self._inline(block)
            return
        if kind == "rich_text_list":
            yield from self._list(block)
            return
        if kind in {"image", "video"}:
            yield self._text(block.get("title")) or text_of(block, "alt_text")
            return
        if kind in {"actions", "divider"}:
            return
        yield self._text(block.get("text"))
        yield from (self._text(item) for item in dicts(block.get("fields")))
        for row in _rows(block):
            yield " | ".join(
                " ".join(line for line in self.lines(cell, depth + 1) if line) for cell in row
            )
        for item in dicts(block.get("elements")):
            yield from self.lines(item, depth + 1)

    def _text(self, value: Json) -> str:
        """A text object, or a bare text."""
        if isinstance(value, str):
            return render_mrkdwn(value, self._names, self._named)
        text = text_of(value, "text")
        if isinstance(value, dict) and text_of(value, "type") in {"plain_text", "raw_text"}:
            return unescape(text)
        return render_mrkdwn(text, self._names, self._named)

    def _list(self, block: dict[str, Json]) -> Iterator[str]:
        indent = block.get("indent")
        # An absurd indent must not blow up the text.
        margin = "  " * min(max(indent, 0), 8) if isinstance(indent, int) else ""
        for number, item in enumerate(dicts(block.get("elements")), 1):
            mark = f"{number}." if block.get("style") == "ordered" else "•"
            yield f"{margin}{mark} {self._inline(item)}"

    def _inline(self, section: dict[str, Json]) -> str:
        said = "".join(self._leaf(item) for item in dicts(section.get("elements")))
        return f"```{said}```" if section.get("type") == "rich_text_preformatted" else said

    def _leaf(self, leaf: dict[str, Json]) -> str:
        kind = leaf.get("type")
        if kind == "user":
            actor = text_of(leaf, "user_id")
            self._named.actors.setdefault(actor, "")
            return "@" + self._names.actor_name(actor, "") if actor else ""
        if kind == "channel":
            channel = text_of(leaf, "channel_id")
            self._named.channels.setdefault(channel, "")
            return "#" + self._names.channel_name(channel, "") if channel else ""
        if kind == "emoji":
            return f":{text_of(leaf, 'name')}:"
        if kind == "link":
            return labelled_link(text_of(leaf, "url"), text_of(leaf, "text"))
        if kind == "broadcast":
            return "@" + text_of(leaf, "range")
        if kind == "usergroup":
            return "@" + text_of(leaf, "usergroup_id")
        if kind == "date":
            return date_text(leaf.get("timestamp"), text_of(leaf, "fallback"))
        return text_of(leaf, "text") or text_of(leaf, "value")


def _rows(block: dict[str, Json]) -> Iterator[list[dict[str, Json]]]:
    rows = block.get("rows")
    for row in rows if isinstance(rows, list) else ():
        yield dicts(row)
