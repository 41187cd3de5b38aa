"""What a question gets back: messages with citations, headings, and the trace."""

from __future__ import annotations

from datetime import datetime

import strawberry

from ....retrieval.answer import Answer as Found
from ....retrieval.answer import EvidenceItem as FoundItem
from ....retrieval.answer import Heading as FoundHeading
from ....retrieval.compose import Composed
from ....retrieval.trace import Candidate, StageTrace, Trace
from ..context import Info
from .catalog import Actor, Channel
from .describing import cost, described
from .enums import StageName, ViewName
from .forest import ForestNode
from .message import Message
from .subject import Period

_LISTED = 50
# As many as the question asked for; the root field has counted them.
_COUNTED = cost(size=1)
# What is there already.
_FREE = cost(0, 1)


@strawberry.type(description="One message of the evidence, verbatim.")
class EvidenceItem:
    """One message of the evidence."""

    message_key: strawberry.Private[str]
    channel_key: strawberry.Private[str]
    author_key: strawberry.Private[str]
    number: int = described("Its number in the rendered context, from 1, the best first.")
    citation: str = described("How the context cites it: number, time, channel, author, role.")
    text: str = described("What it says, never cut.")
    at: datetime = described("When it was posted, UTC.")
    channel_name: str = described("What its channel is called.")
    author_name: str = described("What its author is called.")
    author_title: str = described("What its author does; may be empty.")
    link: str | None = described("Its address in the source, if it has one.")
    files: list[str] = described("A line for each file.")
    heading: strawberry.ID | None = described("Key of the heading that it stands under.")
    stage: StageName = described("The stage that found it.")
    score: float = described("How well it fits, 1 being the best that its stage could see.")
    weak: bool = described("Whether little speaks for it, compared with the best item.")
    why: list[str] = described("Short reasons.")

    @strawberry.field(description="The message, with all that hangs on it.")
    async def message(self, info: Info) -> Message | None:
        """The message."""
        found = await info.context.loaders.message.load(self.message_key)
        return None if found is None else Message.of(found)

    @strawberry.field(description="The channel it was posted in.")
    async def channel(self, info: Info) -> Channel | None:
        """The channel it was posted in."""
        found = await info.context.loaders.channel.load(self.channel_key)
        return None if found is None else Channel.of(found)

    @strawberry.field(description="Who wrote it.")
    async def author(self, info: Info) -> Actor | None:
        """Who wrote it."""
        found = await info.context.loaders.actor.load(self.author_key)
        return None if found is None else Actor.of(found)

    @classmethod
    def of(cls, item: FoundItem) -> EvidenceItem:
        """The type of a record."""
        return cls(
            message_key=item.key,
            channel_key=item.channel,
            author_key=item.author,
            number=item.number,
            citation=item.citation,
            text=item.text,
            at=item.at,
            channel_name=item.channel_name,
            author_name=item.author_name,
            author_title=item.author_title,
            link=item.link or None,
            files=list(item.files),
            heading=strawberry.ID(item.heading) if item.heading else None,
            stage=StageName(item.stage),
            score=item.score,
            weak=item.weak,
            why=list(item.why),
        )


@strawberry.type(
    description="A summary that some items stand under: orientation, never evidence itself."
)
class Heading:
    """A summary that some items stand under."""

    key: strawberry.ID = described("Key of the forest node.")
    view: ViewName = described("The forest it stands in.")
    name: str = described("What its tree is about.")
    period: Period = described("From the earliest message below it to the latest.")
    lines: list[str] = described("What it says, the wider summary first.")

    @strawberry.field(description="The forest node.")
    async def node(self, info: Info) -> ForestNode | None:
        """The forest node."""
        found = await info.context.loaders.node.load(str(self.key))
        return None if found is None else ForestNode.of(found)

    @classmethod
    def of(cls, heading: FoundHeading) -> Heading:
        """The type of a record."""
        return cls(
            key=strawberry.ID(heading.key),
            view=ViewName(heading.view),
            name=heading.name,
            period=Period(first=heading.since, last=heading.until),
            lines=list(heading.lines),
        )


@strawberry.type(description="A number with its name.")
class Count:
    """A number with its name."""

    name: str = described("What was counted.")
    count: int = described("How many.")


@strawberry.type(description="One hop on the way from the question to a message.")
class TraceStep:
    """One hop on the way from the question to a message."""

    via: str = described("How, such as `words`, `vector`, `placed` or `replies_to`.")
    key: str = described("Key of the node that the hop leads to.")


@strawberry.type(description="A message that a stage proposed.")
class TraceCandidate:
    """A message that a stage proposed."""

    key: strawberry.ID = described("Key of the message.")
    score: float = described("How well it fits, 1 being the best that the stage could see.")
    why: list[str] = described("Short reasons.")
    path: list[TraceStep] = described("How the forest led to it.", directives=_FREE)

    @classmethod
    def of(cls, candidate: Candidate) -> TraceCandidate:
        """The type of a record."""
        return cls(
            key=strawberry.ID(candidate.key),
            score=candidate.score,
            why=list(candidate.why),
            path=[TraceStep(via=step.via, key=step.key) for step in candidate.path],
        )


@strawberry.type(description="A candidate that did not become an item.")
class TraceDrop:
    """A candidate that did not become an item."""

    key: strawberry.ID = described("Key of the message.")
    stage: StageName = described("The stage that had proposed it.")
    score: float = described("How well it fits.")
    reason: str = described("Why it was left out.")


@strawberry.type(description="What one stage did. Lists hold the first 50.")
class TraceStage:
    """What one stage did."""

    stage: StageName = described("Which.")
    ms: float = described("Milliseconds, waiting for the database included.")
    counts: list[Count] = described("How many of what it met.", directives=_FREE)
    candidates: list[TraceCandidate] = described(
        "What it proposed, the best first.", directives=_FREE
    )
    dropped: list[TraceDrop] = described("What it left out.", directives=_FREE)
    notes: list[str] = described("Anything else worth knowing.")

    @classmethod
    def of(cls, record: StageTrace) -> TraceStage:
        """The type of a record."""
        return cls(
            stage=StageName(record.stage),
            ms=record.ms,
            counts=[Count(name=name, count=count) for name, count in record.counts.items()],
            candidates=[TraceCandidate.of(found) for found in record.candidates[:_LISTED]],
            dropped=[
                TraceDrop(
                    key=strawberry.ID(drop.key),
                    stage=StageName(drop.stage),
                    score=drop.score,
                    reason=str(drop.reason),
                )
                for drop in record.dropped[:_LISTED]
            ],
            notes=list(record.notes),
        )


@strawberry.type(name="Trace", description="How the evidence came about, stage by stage.")
class TraceType:
    """How the evidence came about."""

    ms: float = described("Milliseconds in all.")
    stages: list[TraceStage] = described("The stages in their order.", directives=_FREE)

    @classmethod
    def of(cls, trace: Trace) -> TraceType:
        """The type of a record."""
        return cls(
            ms=trace.total_ms, stages=[TraceStage.of(record) for record in trace.stages.values()]
        )


@strawberry.type(
    description="The evidence for one question: messages verbatim, each with its citation. No "
    "language model had a part in it."
)
class Evidence:
    """The evidence for one question."""

    found: strawberry.Private[Found]
    question: str = described("The question.")
    items: list[EvidenceItem] = described(
        "The messages, the best first; empty where nothing that the asker may see fits.",
        directives=_COUNTED,
    )
    headings: list[Heading] = described("The summaries that they stand under.", directives=_COUNTED)
    tokens: int = described("How many tokens `context` has.")

    @strawberry.field(
        description="All of it as one text for a person or a model: headings, and below each its "
        "items in order of time with their citations."
    )
    def context(self) -> str:
        """All of it as one text."""
        return self.found.render()

    @strawberry.field(description="How it came about.")
    def trace(self) -> TraceType:
        """How it came about."""
        return TraceType.of(self.found.trace)

    @classmethod
    def of(cls, found: Found) -> Evidence:
        """The type of a record."""
        return cls(
            found=found,
            question=found.question,
            items=[EvidenceItem.of(item) for item in found.items],
            headings=[Heading.of(heading) for heading in found.headings],
            tokens=found.tokens,
        )


@strawberry.type(
    description="An answer that a language model composed from the evidence, and how far the "
    "evidence bears it out."
)
class Answer:
    """An answer that a language model composed from the evidence."""

    text: str = described(
        "The answer, with citations such as [3] that name items of the evidence. Citations of "
        "anything else were taken out."
    )
    citations: list[EvidenceItem] = described(
        "The items that it cites, in order of number.", directives=_COUNTED
    )
    unknown_citations: list[int] = described(
        "Numbers that the model cited and that are none of an item: a reason for doubt."
    )
    supported: bool = described(
        "Whether it cites at least one item and nothing unknown. An answer that is not supported "
        "may be the model's own invention."
    )
    model: str = described("The model that composed it.")
    evidence: Evidence = described("The evidence that the model was given.")

    @classmethod
    def of(cls, composed: Composed, found: Found) -> Answer:
        """The type of a record."""
        evidence = Evidence.of(found)
        return cls(
            text=composed.text,
            citations=[item for item in evidence.items if item.number in composed.cited],
            unknown_citations=list(composed.unknown),
            supported=composed.supported,
            model=composed.model,
            evidence=evidence,
        )
