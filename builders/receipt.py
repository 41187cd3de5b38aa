"""The receipt of an ingest: what became of every record of the export, channel by channel."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from ..graph.records import LogOutcome
from .errors import BuilderError

MAX_LISTED_REJECTS = 1000
MAX_LISTED_NOTES = 200


@dataclass(slots=True)
class Tally:
    """Numbers of message records: `read` is the sum of the four outcomes.

    Attributes:
        added: first entries of messages; unchanged: logged already.
        superseded: logged as a further entry (an edit, a deletion) of a known message.
        rejected: not logged; the receipt says why.
        housekeeping: of those read, how many are joins and the like: logged, but in no tree.
        recovered: earlier states that edit and deletion events carried and that were new. They
            are no records of their own, so they do not count as read.
        first, last: times of the earliest and the latest accepted message, UTC.
    """

    read: int = 0
    added: int = 0
    unchanged: int = 0
    superseded: int = 0
    rejected: int = 0
    housekeeping: int = 0
    recovered: int = 0
    first: datetime | None = None
    last: datetime | None = None

    def count(self, outcome: LogOutcome, number: int = 1) -> None:
        """`number` more records met this outcome."""
        self.read += number
        setattr(self, outcome.value, getattr(self, outcome.value) + number)

    def cover(self, at: datetime) -> None:
        """The range reaches to `at`."""
        self.first = at if self.first is None or at < self.first else self.first
        self.last = at if self.last is None or at > self.last else self.last

    def balanced(self) -> bool:
        """Whether every record read is accounted for."""
        return self.read == self.added + self.unchanged + self.superseded + self.rejected

    def add(self, other: Tally) -> None:
        """Add the numbers and the range of another tally."""
        for name in (
            "read", "added", "unchanged", "superseded", "rejected", "housekeeping", "recovered",
        ):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for at in (other.first, other.last):
            if at is not None:
                self.cover(at)


@dataclass(slots=True)
class ChannelTally(Tally):
    """The numbers of one channel; `id` is "" for what belongs to none."""

    id: str = ""
    name: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Rejection:
    """Something that was not logged: where it stands, why, and what can be done."""

    place: str
    reason: str
    remedy: str


@dataclass(slots=True)
class Receipt:
    """What one ingest did. It holds no text of any message.

    Attributes:
        source: what the export is called.
        actors: how many actors the export describes or names.
        channels: by channel id.
        rejections: the first `MAX_LISTED_REJECTS`; `rejections_total` counts them all, also
            those that are no messages (an entry of a list of users, say).
        notes: decisions that the reader should know of; `notes_total` counts them all.
    """

    workspace: str
    source: str
    actors: int = 0
    channels: dict[str, ChannelTally] = field(default_factory=dict)
    rejections: list[Rejection] = field(default_factory=list)
    rejections_total: int = 0
    notes: list[str] = field(default_factory=list)
    notes_total: int = 0
    elapsed_s: float = 0.0

    @property
    def total(self) -> Tally:
        """The sum over all channels."""
        total = Tally()
        for channel in self.channels.values():
            total.add(channel)
        return total

    def tally(self, channel_id: str) -> ChannelTally:
        """The numbers of a channel, begun if it is new."""
        return self.channels.setdefault(channel_id, ChannelTally(id=channel_id, name=channel_id))

    def reject(self, channel_id: str, rejection: Rejection, records: int = 1) -> None:
        """Account for something that was not logged."""
        self.rejections_total += 1
        if len(self.rejections) < MAX_LISTED_REJECTS:
            self.rejections.append(rejection)
        if records:
            self.tally(channel_id).count(LogOutcome.REJECTED, records)

    def note(self, text: str) -> None:
        """Remember a decision."""
        self.notes_total += 1
        if len(self.notes) < MAX_LISTED_NOTES:
            self.notes.append(text)

    def check(self) -> None:
        """Raise `BuilderError` unless every record read is accounted for."""
        for channel in self.channels.values():
            if not channel.balanced():
                raise BuilderError(
                    f"The receipt of {self.source} does not add up for the channel {channel.id!r}.",
                    "This is a fault of EGCForest; please report it.",
                )

    def as_dict(self) -> dict[str, Any]:
        """The receipt for JSON: times as ISO texts."""
        raw = asdict(self) | {"total": asdict(self.total)}
        for tally in (raw["total"], *raw["channels"].values()):
            for name in ("first", "last"):
                tally[name] = tally[name] and tally[name].isoformat()
        return raw

    def __str__(self) -> str:
        lines = [
            f"Receipt: {self.source} into the workspace {self.workspace} "
            f"({self.elapsed_s:.1f} s, {self.actors:,} people and bots)"
        ]
        names = [channel.name or "(no channel)" for channel in self.channels.values()]
        width = max([len("channel"), len("all"), *map(len, names)])
        width = min(width, 40)
        lines.append(f"{'channel':<{width}} {_HEADER}")
        rows = sorted(self.channels.values(), key=lambda tally: (tally.name, tally.id))
        for tally in rows:
            lines.append(f"{(tally.name or '(no channel)')[:width]:<{width}} {_row(tally)}")
        lines.append(f"{'all':<{width}} {_row(self.total)}")
        lines.extend(f"Note: {note}" for note in self.notes)
        lines.extend(_more(self.notes_total - len(self.notes), "notes"))
        lines.extend(
            f"Rejected: {rejection.place}: {rejection.reason}. {rejection.remedy}".rstrip()
            for rejection in self.rejections
        )
        lines.extend(_more(self.rejections_total - len(self.rejections), "rejections"))
        return "\n".join(lines)


_COLUMNS = ("read", "added", "unchanged", "superseded", "rejected", "housekeeping", "recovered")
_HEADER = " ".join(f"{name:>{max(9, len(name))}}" for name in _COLUMNS) + "  from .. to (UTC)"


def _row(tally: Tally) -> str:
    numbers = " ".join(f"{getattr(tally, name):>{max(9, len(name))},}" for name in _COLUMNS)
    if tally.first is None or tally.last is None:
        return f"{numbers}  -"
    return f"{numbers}  {tally.first:%Y-%m-%d %H:%M} .. {tally.last:%Y-%m-%d %H:%M}"


def _more(number: int, what: str) -> list[str]:
    return [f"... and {number:,} more {what}"] if number else []
