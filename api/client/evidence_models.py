"""What a question gets back."""

from __future__ import annotations

from datetime import datetime

from pydantic import AliasPath, Field

from .base_models import Period, Result
from .enums import Stage, View


class EvidenceItem(Result):
    """One message of the evidence, verbatim.

    Attributes:
        number: its number in `Evidence.context`, from 1, the best first.
        citation: how the context cites it: number, time, channel, author, role.
        text: what it says, never cut.
        at: when it was posted, UTC.
        files: a line for each.
        heading: key of the heading that it stands under.
        stage: what found it.
        score: how well it fits, 1 being the best that its stage could see.
        weak: whether little speaks for it, compared with the best item.
        why: short reasons.
        message: key of the message, as `client.message` takes it.
        channel, author: their keys.
    """

    number: int
    citation: str
    text: str
    at: datetime
    channel_name: str
    author_name: str
    author_title: str
    link: str | None = None
    files: tuple[str, ...]
    heading: str | None = None
    stage: Stage
    score: float
    weak: bool
    why: tuple[str, ...]
    message: str | None = Field(None, validation_alias=AliasPath("message", "id"))
    channel: str | None = Field(None, validation_alias=AliasPath("channel", "id"))
    author: str | None = Field(None, validation_alias=AliasPath("author", "id"))


class Heading(Result):
    """A summary that some items stand under; `key` is that of its forest node."""

    key: str
    view: View
    name: str
    period: Period
    lines: tuple[str, ...]


class Count(Result):
    """A number with its name."""

    name: str
    count: int


class TraceStep(Result):
    """One hop on the way from the question to a message."""

    via: str
    key: str


class TraceCandidate(Result):
    """A message that a stage proposed."""

    key: str
    score: float
    why: tuple[str, ...]
    path: tuple[TraceStep, ...]


class TraceDrop(Result):
    """A candidate that did not become an item."""

    key: str
    stage: Stage
    score: float
    reason: str


class TraceStage(Result):
    """What one stage did."""

    stage: Stage
    ms: float
    counts: tuple[Count, ...]
    candidates: tuple[TraceCandidate, ...]
    dropped: tuple[TraceDrop, ...]
    notes: tuple[str, ...]


class Trace(Result):
    """How the evidence came about, and the milliseconds that it took."""

    ms: float
    stages: tuple[TraceStage, ...]


class Evidence(Result):
    """The evidence for one question. No language model had a part in it.

    Attributes:
        items: the messages, the best first; empty where nothing fits that the asker may see.
        headings: the summaries that they stand under.
        tokens: how many `context` has.
        context: all of it as one text for a person or a model.
        trace: how it came about, if it was asked for.
    """

    question: str
    items: tuple[EvidenceItem, ...]
    headings: tuple[Heading, ...]
    tokens: int
    context: str
    trace: Trace | None = None


class CitedItem(Result):
    """An item of the evidence, by its number."""

    number: int


class Answer(Result):
    """An answer that a language model composed from the evidence.

    Attributes:
        text: with citations such as [3].
        cited: the items that it cites.
        unknown_citations: numbers that it cited and that are none of an item.
        supported: whether it cites at least one item and nothing unknown.
        model: which composed it.
        evidence: what the model was given.
    """

    text: str
    cited: tuple[CitedItem, ...] = Field(alias="citations")
    unknown_citations: tuple[int, ...]
    supported: bool
    model: str
    evidence: Evidence

    @property
    def citations(self) -> tuple[EvidenceItem, ...]:
        """The items of the evidence that it cites, in order of number."""
        numbers = {cited.number for cited in self.cited}
        return tuple(item for item in self.evidence.items if item.number in numbers)
