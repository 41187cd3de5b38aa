"""Names that the service has for things. One that is added later is taken as it is."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class OpenEnum(StrEnum):
    """An enum whose values may grow: an unknown one becomes a member that is equal to its name.

    Members are found in whatever case: `View("artifact")` is `View.ARTIFACT`.
    """

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        known = cls.__members__.get(value.upper())
        if known is not None:
            return known
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member


class View(OpenEnum):
    """The three forests."""

    CHANNEL = "CHANNEL"
    """Where: one tree for each channel."""
    ACTOR = "ACTOR"
    """Who: what a person said, and what was said to them."""
    ARTIFACT = "ARTIFACT"
    """What about: the life of a deliverable, in order."""


class AudienceKind(OpenEnum):
    """Who may see a message, roughly."""

    PUBLIC = "PUBLIC"
    """Everybody of the workspace."""
    PRIVATE = "PRIVATE"
    """The members of one private channel or conversation."""


class BridgeKind(OpenEnum):
    """Why two messages are connected."""

    REPLIES_TO = "REPLIES_TO"
    """One replies to the other."""
    SAME_IDENTIFIER = "SAME_IDENTIFIER"
    """Both name the same identifier."""


class ChannelKind(OpenEnum):
    """What sort of place a channel is."""

    PUBLIC = "PUBLIC"
    """Everybody of the workspace may read it."""
    PRIVATE = "PRIVATE"
    """Only its members may read it."""
    DIRECT = "DIRECT"
    """A conversation of two."""
    GROUP_DIRECT = "GROUP_DIRECT"
    """A conversation of several."""


class MessageKind(OpenEnum):
    """What an appended record is."""

    MESSAGE = "MESSAGE"
    """What somebody said."""
    HOUSEKEEPING = "HOUSEKEEPING"
    """A join or the like: kept, but in no tree."""


class MessageOrder(OpenEnum):
    """How a list of messages is sorted."""

    NEWEST_FIRST = "NEWEST_FIRST"
    """The latest first."""
    OLDEST_FIRST = "OLDEST_FIRST"
    """As they were posted."""


class RevisionKind(OpenEnum):
    """What an entry of a message's history is."""

    POSTED = "POSTED"
    """As first posted."""
    EDITED = "EDITED"
    """An edit."""
    DELETED = "DELETED"
    """A deletion, before it was posted again."""


class Stage(OpenEnum):
    """The stages of retrieval."""

    ANALYSIS = "ANALYSIS"
    """Reading the question."""
    SEARCH = "SEARCH"
    """The searches that the other stages draw on."""
    S1_LEAVES = "S1_LEAVES"
    """Messages by words and meaning, ranked within their trees."""
    S2_SUMMARIES = "S2_SUMMARIES"
    """Messages below the summaries that fit best."""
    S3_STRUCTURE = "S3_STRUCTURE"
    """Messages that placements, replies and identifiers lead to."""
    S4_ASSEMBLY = "S4_ASSEMBLY"
    """Fitting it all into the budgets."""


class SubjectOrder(OpenEnum):
    """How a list of channels, actors or artifacts is sorted."""

    NAME = "NAME"
    """By name, case aside."""
    SIZE = "SIZE"
    """Those with the most messages first."""
    LAST_ACTIVITY = "LAST_ACTIVITY"
    """Those with the latest message first."""


class TimeUnit(OpenEnum):
    """How wide the stretches of a statistic are."""

    HOUR = "HOUR"
    """Hours."""
    DAY = "DAY"
    """Days from midnight to midnight."""
    WEEK = "WEEK"
    """Weeks from Monday."""
    MONTH = "MONTH"
    """Months of the calendar."""


class JobKind(OpenEnum):
    """What a job does."""

    APPEND = "APPEND"
    """Logs appended messages."""
    UPLOAD = "UPLOAD"
    """Logs an uploaded export."""
    REBUILD = "REBUILD"
    """Grows the forests anew."""


class JobState(OpenEnum):
    """Where a job stands."""

    WAITING = "WAITING"
    """Its file has not come yet."""
    QUEUED = "QUEUED"
    """It waits for its turn, or for another attempt."""
    RUNNING = "RUNNING"
    """It is being done."""
    DONE = "DONE"
    """It is done: what it has added can be searched."""
    FAILED = "FAILED"
    """It failed; `error` says why."""
    CANCELLED = "CANCELLED"
    """Somebody has cancelled it."""
