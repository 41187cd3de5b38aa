"""The enums of the schema, each value with its meaning."""

from __future__ import annotations

from enum import Enum

import strawberry

from ....graph.read_records import Bucket, RevisionKind, SubjectOrder
from ....graph.records import BridgeKind, ChannelKind, View
from ....retrieval.trace import Stage
from .describing import value


@strawberry.enum(name="View", description="The three forests that grow over the same messages.")
class ViewName(Enum):
    """The three forests."""

    CHANNEL = value(View.CHANNEL, "Where: one tree for each channel.")
    ACTOR = value(View.ACTOR, "Who: what a person said, and what was said to them.")
    ARTIFACT = value(View.ARTIFACT, "What about: the life of a deliverable, in order.")


@strawberry.enum(name="ChannelKind", description="What sort of place a channel is.")
class ChannelKindName(Enum):
    """What sort of place a channel is."""

    PUBLIC = value(ChannelKind.PUBLIC, "Everybody of the workspace may read it.")
    PRIVATE = value(ChannelKind.PRIVATE, "Only its members may read it.")
    DIRECT = value(ChannelKind.DIRECT, "A conversation of two.")
    GROUP_DIRECT = value(ChannelKind.GROUP_DIRECT, "A conversation of several.")


@strawberry.enum(description="Who may see a message, roughly.")
class AudienceKind(Enum):
    """Who may see a message, roughly."""

    PUBLIC = value("public", "Everybody of the workspace.")
    PRIVATE = value("private", "The members of one private channel or conversation.")


@strawberry.enum(name="SubjectOrder", description="How a list of subjects is sorted.")
class SubjectOrderName(Enum):
    """How a list of subjects is sorted."""

    NAME = value(SubjectOrder.NAME, "By name, case aside.")
    SIZE = value(SubjectOrder.SIZE, "Those with the most messages first.")
    LAST_ACTIVITY = value(SubjectOrder.LAST, "Those with the latest message first.")


@strawberry.enum(description="How a list of messages is sorted.")
class MessageOrder(Enum):
    """How a list of messages is sorted."""

    NEWEST_FIRST = value("newest", "The latest message first.")
    OLDEST_FIRST = value("oldest", "In the order in which they were posted.")


@strawberry.enum(name="BridgeKind", description="Why two messages are connected.")
class BridgeKindName(Enum):
    """Why two messages are connected."""

    REPLIES_TO = value(BridgeKind.REPLIES_TO, "One replies to the other.")
    SAME_IDENTIFIER = value(
        BridgeKind.SAME_IDENTIFIER,
        "Both name the same identifier, and no message between them does.",
    )


@strawberry.enum(name="RevisionKind", description="What an entry of a message's history is.")
class RevisionKindName(Enum):
    """What an entry of a message's history is."""

    POSTED = value(RevisionKind.POSTED, "As first posted.")
    EDITED = value(RevisionKind.EDITED, "An edit.")
    DELETED = value(RevisionKind.DELETED, "A deletion, before it was posted again.")


@strawberry.enum(name="TimeUnit", description="How wide the buckets of a statistic are.")
class TimeUnit(Enum):
    """How wide the buckets of a statistic are."""

    HOUR = value(Bucket.HOUR, "Hours.")
    DAY = value(Bucket.DAY, "Days from midnight to midnight.")
    WEEK = value(Bucket.WEEK, "Weeks from Monday.")
    MONTH = value(Bucket.MONTH, "Months of the calendar.")


@strawberry.enum(name="Stage", description="The stages of retrieval.")
class StageName(Enum):
    """The stages of retrieval."""

    ANALYSIS = value(Stage.ANALYSIS, "Reading the question: names, times, who asks.")
    SEARCH = value(Stage.SEARCH, "The searches that the other stages draw on.")
    S1_LEAVES = value(Stage.S1, "Messages by words and meaning, ranked within their trees.")
    S2_SUMMARIES = value(Stage.S2, "Messages below the summaries that fit best.")
    S3_STRUCTURE = value(Stage.S3, "Messages that placements, replies and identifiers lead to.")
    S4_ASSEMBLY = value(Stage.S4, "Fitting it all into the budgets of items and tokens.")
