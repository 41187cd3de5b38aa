"""What a question gets back: messages verbatim with citations, summaries as headings, the trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..graph.records import View
from .trace import Stage, Trace


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """One message, verbatim.

    Attributes:
        number: its citation, from 1 in the order of relevance in which S4 handed it out.
        key: the message.
        text: as the source's reader saw it, never cut.
        at: time of posting, UTC.
        channel: key; channel_name: as a person knows it.
        audience: who may see it.
        author: key; author_name, author_title: as a person knows them.
        source_id: id in the source; source_ts: time as the source wrote it.
        link: address in the source, or "".
        files: a line for each file.
        heading: key of the forest node whose summary heads it, or "".
        stage: which stage found it.
        score: relative within its stage, 1 is the best.
        weak: whether little speaks for it, compared with the best item.
        why: short reasons.
    """

    number: int
    key: str
    text: str
    at: datetime
    channel: str
    channel_name: str
    audience: str
    author: str
    author_name: str
    author_title: str
    source_id: str
    source_ts: str
    link: str
    files: tuple[str, ...]
    heading: str
    stage: Stage
    score: float
    weak: bool
    why: tuple[str, ...]

    @property
    def citation(self) -> str:
        """Number, time, channel, author and role: what a reader needs to find the message."""
        author = self.author_name or self.author
        if self.author_title:
            author += f" ({self.author_title})"
        place = self.channel_name or self.channel
        return f"[{self.number}] {self.at:%Y-%m-%d %H:%M} #{place} {author}"

    def render(self) -> str:
        """The item as a reader or a model sees it."""
        parts = [f"{self.citation}: {self.text}"]
        parts += [f"    file: {line}" for line in self.files]
        if self.link:
            parts.append(f"    {self.link}")
        return "\n".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the time in ISO 8601."""
        return {
            "number": self.number,
            "key": self.key,
            "text": self.text,
            "at": self.at.isoformat(),
            "channel": self.channel,
            "channel_name": self.channel_name,
            "audience": self.audience,
            "author": self.author,
            "author_name": self.author_name,
            "author_title": self.author_title,
            "source_id": self.source_id,
            "source_ts": self.source_ts,
            "link": self.link,
            "files": list(self.files),
            "heading": self.heading,
            "stage": str(self.stage),
            "score": round(self.score, 4),
            "weak": self.weak,
            "why": list(self.why),
        }


@dataclass(frozen=True, slots=True)
class Heading:
    """A forest node above some of the items: orientation, never evidence.

    Attributes:
        key: the node.
        view: its forest.
        name: what its tree is about.
        since: time of the earliest message below; until: of the latest.
        lines: of summaries, the wider node first.
    """

    key: str
    view: View
    name: str
    since: datetime
    until: datetime
    lines: tuple[str, ...]

    def render(self) -> str:
        """The heading as a reader or a model sees it."""
        mark = "#" if self.view is View.CHANNEL else ""
        head = f"## {mark}{self.name}, {_period(self.since, self.until)}"
        return "\n".join([head, *(f"> {line}" for line in self.lines)])

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON; times in ISO 8601."""
        return {
            "key": self.key,
            "view": str(self.view),
            "name": self.name,
            "since": self.since.isoformat(),
            "until": self.until.isoformat(),
            "lines": list(self.lines),
        }


def _period(since: datetime, until: datetime) -> str:
    first, last = f"{since:%Y-%m-%d}", f"{until:%Y-%m-%d}"
    return first if first == last else f"{first} to {last}"


@dataclass(frozen=True, slots=True)
class Answer:
    """Evidence for one question. `items` is empty where nothing visible matches.

    Attributes:
        question: as asked.
        items: best first.
        headings: in the order in which the context shows them.
        tokens: of `render()`.
        trace: how it came about.
    """

    question: str
    items: tuple[EvidenceItem, ...]
    headings: tuple[Heading, ...]
    tokens: int
    trace: Trace = field(repr=False)

    def render(self) -> str:
        """The context text: headings, below each its items in order of time, with citations."""
        return render(self.items, self.headings)

    def as_dict(self, *, trace: bool = False) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {
            "question": self.question,
            "items": [item.as_dict() for item in self.items],
            "headings": [heading.as_dict() for heading in self.headings],
            "tokens": self.tokens,
            "ms": round(self.trace.total_ms, 2),
        }
        if trace:
            data["trace"] = self.trace.as_dict()
        return data


NOTHING_FOUND = "No message that you may see matches the question."


def render(items: Sequence[EvidenceItem], headings: Sequence[Heading]) -> str:
    """Items below their headings; those without one come last. Empty items say so."""
    if not items:
        return NOTHING_FOUND
    blocks = []
    for heading, below in grouped(items, headings):
        head = [heading.render()] if heading is not None else []
        blocks.append("\n".join([*head, *(item.render() for item in below)]))
    return "\n\n".join(blocks)


def grouped(
    items: Sequence[EvidenceItem], headings: Sequence[Heading]
) -> list[tuple[Heading | None, list[EvidenceItem]]]:
    """Each heading with its items in order of time; last, under None, those without one."""
    ordered = sorted(items, key=lambda item: (item.at, item.key))
    known = {heading.key for heading in headings}
    groups: list[tuple[Heading | None, list[EvidenceItem]]] = [
        (heading, [item for item in ordered if item.heading == heading.key]) for heading in headings
    ]
    groups.append((None, [item for item in ordered if item.heading not in known]))
    return [(heading, below) for heading, below in groups if below]
