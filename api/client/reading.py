"""The operations that read, made from the arguments of the client's methods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from .enums import (
    AudienceKind,
    ChannelKind,
    JobState,
    MessageOrder,
    SubjectOrder,
    TimeUnit,
    View,
)
from .evidence_models import Answer, Evidence
from .job_models import Job
from .models import (
    Actor,
    Artifact,
    Channel,
    Coverage,
    ForestNodeDetails,
    Message,
    MessageDetails,
    SearchHit,
    Statistics,
    Tree,
    Workspace,
)
from .operations import Listing, Operation, given, listing, one


def workspace() -> Operation[Workspace]:
    """What the token opens."""
    return one("workspace", Workspace, "workspace", {})


def evidence(
    question: str,
    items: int | None,
    tokens: int | None,
    view: View | str | None,
    since: datetime | None,
    until: datetime | None,
    now: datetime | None,
    trace: bool,
) -> Operation[Evidence]:
    """The evidence for a question."""
    variables = {
        "question": question,
        "items": items,
        "tokens": tokens,
        "view": None if view is None else View(view),
        "since": since,
        "until": until,
        "now": now,
        "trace": trace,
    }
    return one("evidence", Evidence, "evidence", variables)


def answer(
    question: str,
    items: int | None,
    tokens: int | None,
    view: View | str | None,
    since: datetime | None,
    until: datetime | None,
    now: datetime | None,
) -> Operation[Answer]:
    """What a language model makes of the evidence. Not repeated: it costs."""
    variables = {
        "question": question,
        "items": items,
        "tokens": tokens,
        "view": None if view is None else View(view),
        "since": since,
        "until": until,
        "now": now,
    }
    return one("answer", Answer, "answer", variables, safe=False)


def search(
    text: str,
    view: View | str | None,
    channels: Sequence[str] | None,
    authors: Sequence[str] | None,
    since: datetime | None,
    until: datetime | None,
    audience: AudienceKind | str | None,
) -> Listing[SearchHit]:
    """Messages by words and meaning."""
    narrowed = given(
        {
            "channels": _keys(channels),
            "authors": _keys(authors),
            "since": since,
            "until": until,
            "audience": None if audience is None else AudienceKind(audience),
        }
    )
    variables = {
        "text": text,
        "view": None if view is None else View(view),
        "filter": narrowed or None,
    }
    return listing("search", SearchHit, ("search",), variables, rows="edges")


def channels(
    name_starts_with: str | None,
    kinds: Iterable[ChannelKind | str] | None,
    active_since: datetime | None,
    order: SubjectOrder | str,
) -> Listing[Channel]:
    """The channels that the asker may read."""
    narrowed = given(
        {
            "nameStartsWith": name_starts_with,
            "kinds": None if kinds is None else [ChannelKind(kind) for kind in kinds],
            "activeSince": active_since,
        }
    )
    variables = {"order": SubjectOrder(order), "filter": narrowed or None}
    return listing("channels", Channel, ("channels",), variables)


def actors(
    name_starts_with: str | None, active_since: datetime | None, order: SubjectOrder | str
) -> Listing[Actor]:
    """The people and bots of whom the asker may read something."""
    narrowed = given({"nameStartsWith": name_starts_with, "activeSince": active_since})
    variables = {"order": SubjectOrder(order), "filter": narrowed or None}
    return listing("actors", Actor, ("actors",), variables)


def artifacts(
    text_starts_with: str | None,
    kinds: Iterable[str] | None,
    active_since: datetime | None,
    order: SubjectOrder | str,
) -> Listing[Artifact]:
    """The artifacts that visible messages are about."""
    narrowed = given(
        {
            "textStartsWith": text_starts_with,
            "kinds": None if kinds is None else list(kinds),
            "activeSince": active_since,
        }
    )
    variables = {"order": SubjectOrder(order), "filter": narrowed or None}
    return listing("artifacts", Artifact, ("artifacts",), variables)


def coverage() -> Listing[Coverage]:
    """What the log holds of each channel."""
    return listing("coverage", Coverage, ("coverage",), {})


def message(key: str) -> Operation[MessageDetails]:
    """A message with all that hangs on it."""
    missing = "There is no message of that key that the asker may see."
    return one("message", MessageDetails, "message", {"key": key}, missing=missing)


def messages_of(
    key: str, order: MessageOrder | str, since: datetime | None, until: datetime | None
) -> Listing[Message]:
    """The messages of a channel, an actor or an artifact."""
    variables = {"key": key, "order": MessageOrder(order), "since": since, "until": until}
    return listing("messages_of", Message, ("node", "messages"), variables)


def messages_below(key: str) -> Listing[Message]:
    """The messages below a forest node."""
    return listing("messages_below", Message, ("node", "messages"), {"key": key})


def messages_in_thread(key: str) -> Listing[Message]:
    """The messages of the thread that a message belongs to."""
    path = ("message", "thread", "messages")
    return listing("messages_in_thread", Message, path, {"key": key})


def tree(view: View | str, subject: str, audience: str | None) -> Operation[Tree]:
    """The tree of a subject."""
    variables = {"view": View(view), "subject": subject, "audience": audience}
    missing = "There is no such tree that the asker may see."
    return one("tree", Tree, "tree", variables, missing=missing)


def node(key: str) -> Operation[ForestNodeDetails]:
    """A forest node."""
    missing = "There is no forest node of that key that the asker may see."
    return one("forest_node", ForestNodeDetails, "forestNode", {"key": key}, missing=missing)


def statistics(
    since: datetime | None,
    until: datetime | None,
    channel: str | None,
    author: str | None,
    unit: TimeUnit | str,
    time_zone: str,
    top: int,
) -> Operation[Statistics]:
    """Counts of visible messages."""
    variables = {
        "since": since,
        "until": until,
        "channel": channel,
        "author": author,
        "unit": TimeUnit(unit),
        "timeZone": time_zone,
        "first": top,
    }
    return one("statistics", Statistics, "statistics", variables)


def job(job_id: str) -> Operation[Job]:
    """A job as it is now."""
    return one("ingest_job", Job, "ingestJob", {"id": job_id}, missing=NO_JOB)


def jobs(state: JobState | str | None) -> Listing[Job]:
    """The jobs that the asker may see, the newest first."""
    variables = {"state": None if state is None else JobState(state)}
    return listing("ingest_jobs", Job, ("ingestJobs",), variables)


def job_progress(job_id: str) -> Operation[Job]:
    """A job as it is now, and each change of it."""
    return one("ingest_job_progress", Job, "ingestJobProgress", {"id": job_id})


NO_JOB = "There is no such job that the asker may see."


def _keys(keys: Sequence[str] | None) -> list[str] | None:
    # A single key would be taken for a list of letters.
    return [keys] if isinstance(keys, str) else None if keys is None else list(keys)
