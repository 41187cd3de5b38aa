"""Where a tree is cut: pure functions of its messages, in whatever order they are given.

One rule makes every level: neighbours are joined across the narrowest gap first, as long as the
group holds at most k. So cuts fall where the talk paused, no two neighbouring groups of a run
could have been one, and what is decided at one place hardly depends on what stands far from it:
a message put in between changes its own group and now and then one beside it. Equal gaps are
told apart by a hash of the message behind the gap, so that even a log without times is cut at
places which its content decides, not at a count from the beginning.

The paper's own grouping, every k in time order, is `grouping="fixed"`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Generic, Literal, Protocol, TypeVar

from ..graph.records import View

_SLACK_ID = re.compile(r"\d{10}\.\d{6}")
_MINUTE_MS = 60_000


class Placeable(Protocol):
    """What grouping needs to know of a message."""

    @property
    def anchor(self) -> str:
        """A name that is unique and never changes."""
        ...

    @property
    def channel(self) -> str:
        """Where it was said: threads of two channels never meet."""
        ...

    @property
    def source_id(self) -> str:
        """Its id in its channel."""
        ...

    @property
    def thread(self) -> str | None:
        """The source id of its thread's root."""
        ...

    @property
    def at_ms(self) -> int:
        """When it was said."""
        ...


T = TypeVar("T", bound=Placeable)


@dataclass(frozen=True, slots=True)
class GroupingParameters:
    """How trees are cut. A change of any of them rebuilds the trees it touches.

    Attributes:
        k: the most messages of an episode and the most children of a node above.
        channel_silence_min: minutes without a word that end an episode of a channel. In chat,
            nine gaps in ten within a conversation are under ten minutes and the next ones come
            hours later, so that anything from 30 to 240 cuts nearly alike.
        actor_silence_min: a week. What one person says comes in twos and threes: at half a day
            an episode held 2.6 messages (HERB), at a week 7.4, and is what someone did that week.
        artifact_silence_min: a week: the life of a deliverable goes on in steps days apart, and
            all of them are about one thing.
        grouping: "episodes", or "fixed" for every k messages in time order.
    """

    k: int = 16
    channel_silence_min: int = 60
    actor_silence_min: int = 7 * 24 * 60
    artifact_silence_min: int = 7 * 24 * 60
    grouping: Literal["episodes", "fixed"] = "episodes"

    def __post_init__(self) -> None:
        if self.k < 2:
            raise ValueError("k must be at least 2: a node with one child groups nothing.")
        if min(self.channel_silence_min, self.actor_silence_min, self.artifact_silence_min) < 1:
            raise ValueError("Silences are at least one minute.")

    def silence_ms(self, view: View) -> int:
        """The silence that ends an episode of `view`, in milliseconds."""
        minutes = {
            View.CHANNEL: self.channel_silence_min,
            View.ACTOR: self.actor_silence_min,
            View.ARTIFACT: self.artifact_silence_min,
        }[view]
        return minutes * _MINUTE_MS

    def identity(self, view: View) -> str:
        """What the shape of a tree of `view` depends on; part of its digests."""
        return f"{self.grouping}/{self.k}/{self.silence_ms(view)}"


@dataclass(frozen=True, slots=True)
class Group:
    """A node of a planned tree above the episodes: `children` are positions in the level below."""

    anchor: str
    start_ms: int
    end_ms: int
    children: tuple[int, ...]


def join_narrowest(
    sizes: Sequence[int],
    gaps: Sequence[int],
    names: Sequence[str],
    most: int,
    widest: int | None = None,
) -> list[range]:
    """Runs of neighbours, joined across the narrowest gap first while a run's size allows it.

    Args:
        sizes: how much each item counts towards `most`; a larger one stays alone.
        gaps: `gaps[i]` lies before item i; `gaps[0]` is ignored.
        names: one for each item; decides between equal gaps.
        most: the largest sum of sizes of a run.
        widest: no run goes across a wider gap.

    The order of joining is by (gap, hash of the name behind it): a total order that does not
    depend on positions. That is what keeps a change local.
    """
    count = len(sizes)
    first = list(range(count))  # of the run that ends at i
    last = list(range(count))  # of the run that starts at i
    total = list(sizes)  # of the run that starts at i
    order = sorted(
        (i for i in range(1, count) if widest is None or gaps[i] <= widest),
        key=lambda i: (gaps[i], _hash(names[i])),
    )
    for i in order:
        start, end = first[i - 1], last[i]
        if total[start] + total[i] <= most:
            total[start] += total[i]
            last[start], first[end] = end, start
    runs: list[range] = []
    at = 0
    while at < count:
        runs.append(range(at, last[at] + 1))
        at = last[at] + 1
    return runs


def episodes(
    messages: Sequence[T], view: View, parameters: GroupingParameters
) -> list[tuple[T, ...]]:
    """Level 1 of a tree: all messages in the tree's order, at most k to an episode.

    A thread counts as one piece that stands where its root does, if it has at most k messages.
    """
    if parameters.grouping == "fixed":
        ordered = sorted(messages, key=_moment)
        k = parameters.k
        return [tuple(ordered[i : i + k]) for i in range(0, len(ordered), k)]
    silence = parameters.silence_ms(view)
    pieces = [
        piece for unit in _units(messages, view, silence) for piece in _pieces(unit, parameters.k)
    ]
    runs = join_narrowest(
        [len(piece.messages) for piece in pieces],
        _gaps(pieces, silence),
        [piece.messages[0].anchor for piece in pieces],
        parameters.k,
        silence,
    )
    return [tuple(m for i in run for m in pieces[i].messages) for run in runs]


def upper_levels(
    leaves: Sequence[Sequence[T]], parameters: GroupingParameters
) -> list[list[Group]]:
    """The levels above the episodes, from level 2 to the root; empty if one episode is all."""
    below = [
        Group(leaf[0].anchor, min(m.at_ms for m in leaf), max(m.at_ms for m in leaf), ())
        for leaf in leaves
    ]
    levels: list[list[Group]] = []
    while len(below) > 1:
        below = [_group(below, run) for run in _level_runs(below, parameters)]
        levels.append(below)
    return levels


def _level_runs(below: Sequence[Group], parameters: GroupingParameters) -> list[range]:
    count, k = len(below), parameters.k
    if parameters.grouping == "fixed":
        return [range(i, min(i + k, count)) for i in range(0, count, k)]
    # Octaves: days against weeks matter here, not minutes, and the hash then decides often
    # enough that a long row of ever wider gaps cannot pass a change on and on.
    gaps = [0] + [max(0, b.start_ms - a.end_ms).bit_length() for a, b in pairwise(below)]
    return join_narrowest([1] * count, gaps, [group.anchor for group in below], k)


def _group(below: Sequence[Group], run: range) -> Group:
    parts = [below[i] for i in run]
    return Group(
        parts[0].anchor,
        min(part.start_ms for part in parts),
        max(part.end_ms for part in parts),
        tuple(run),
    )


@dataclass(slots=True)
class _Unit(Generic[T]):
    """A single message, a whole thread, or a piece of a long thread."""

    messages: list[T]
    start_ms: int
    rest_ms: int = 0
    """End of the talk that follows the start without a silence; a late reply is no part of it."""
    continues: bool = field(default=False)
    """Whether the unit before is an earlier piece of the same thread."""


def _moment(message: Placeable) -> tuple[int, str]:
    return message.at_ms, message.anchor


def _units(messages: Sequence[T], view: View, silence: int) -> list[_Unit[T]]:
    by_thread: dict[tuple[str, str], list[T]] = {}
    for message in messages:
        # A root may or may not carry its own id as its thread.
        thread = message.channel, message.thread or message.source_id
        by_thread.setdefault(thread, []).append(message)
    units = []
    for (_, root_id), members in by_thread.items():
        members.sort(key=_moment)
        members.sort(key=lambda m: m.source_id != root_id)
        units.append(_Unit(members, _thread_start(root_id, members, view)))
    for unit in units:
        unit.rest_ms = unit.start_ms
        for message in sorted(unit.messages, key=_moment):
            if message.at_ms - unit.rest_ms > silence:
                break
            unit.rest_ms = max(unit.rest_ms, message.at_ms)
    units.sort(key=lambda unit: (unit.start_ms, unit.messages[0].anchor))
    return units


def _thread_start(root_id: str, members: Sequence[Placeable], view: View) -> int:
    if members[0].source_id == root_id:
        return members[0].at_ms
    # Slack's id of a thread is the time of its root. An actor's or artifact's tree shows when
    # something was said to or about them, so there a reply stands at its own time.
    if view is View.CHANNEL and _SLACK_ID.fullmatch(root_id):
        return min(int(root_id[:10] + root_id[11:14]), members[0].at_ms)
    return members[0].at_ms


def _pieces(unit: _Unit[T], k: int) -> Iterator[_Unit[T]]:
    """`unit`, or its pieces if it is a thread of more than k messages."""
    if len(unit.messages) <= k:
        yield unit
        return
    times = [message.at_ms for message in unit.messages]
    gaps = [0] + [max(0, b - a) for a, b in pairwise(times)]
    names = [message.anchor for message in unit.messages]
    for run in join_narrowest([1] * len(times), gaps, names, k):
        piece = unit.messages[run.start : run.stop]
        yield _Unit(piece, piece[0].at_ms, unit.rest_ms, run.start > 0)


def _gaps(units: Sequence[_Unit[T]], silence: int) -> list[int]:
    """The silence before each unit, as long as the talk before it lasted."""
    gaps = []
    talked_until = 0
    before: _Unit[T] | None = None
    for unit in units:
        if before is not None and unit.continues:
            gap = max(0, unit.start_ms - before.messages[-1].at_ms)
        else:
            gap = max(0, unit.start_ms - talked_until)
        if gap > silence:
            talked_until = 0
        gaps.append(gap)
        talked_until = max(talked_until, unit.rest_ms)
        before = unit
    return gaps


def _hash(name: str) -> bytes:
    # Without the workspace, so that the same log is cut alike in every workspace.
    return hashlib.blake2b(name.partition("/")[2].encode(), digest_size=8).digest()
