"""The nodes by which a served API keeps its own house; they are linked to nothing."""

from __future__ import annotations

from neomodel import (
    ArrayProperty,
    BooleanProperty,
    DateTimeProperty,
    IntegerProperty,
    StringProperty,
)

from .schema_base import GraphNode


class Job(GraphNode):
    """A piece of ingest work that outlives the process that does it; it is linked to nothing.

    `token` and `actor` say whose it is; `may_open`, that it may let people into any channel.
    `folder` is the id of the upload folder that holds `file`; only a worker with that folder can
    do it. `owner` does it while it is running, and says so by `heartbeat_at`. `retry_at` is when
    it may be taken again. Of the things that were not logged, the first are in the three lists of
    equal length.
    """

    kind = StringProperty(required=True)
    state = StringProperty(required=True, index=True)
    token = StringProperty(required=True)
    actor = StringProperty()
    may_open = BooleanProperty()
    created_at = DateTimeProperty(required=True)
    started_at = DateTimeProperty()
    finished_at = DateTimeProperty(index=True)
    heartbeat_at = DateTimeProperty()
    retry_at = DateTimeProperty()
    expires_at = DateTimeProperty()
    attempt = IntegerProperty(required=True)
    owner = StringProperty()
    cancel_requested = BooleanProperty()
    request_digest = StringProperty()
    folder = StringProperty()
    file = StringProperty()
    filename = StringProperty()
    format = StringProperty()
    sha256 = StringProperty()
    bytes = IntegerProperty()
    timezone = StringProperty()
    permalink_base = StringProperty()
    channels = ArrayProperty(StringProperty())
    stage = StringProperty()
    done = IntegerProperty()
    total = IntegerProperty()
    read = IntegerProperty()
    added = IntegerProperty()
    unchanged = IntegerProperty()
    superseded = IntegerProperty()
    rejected = IntegerProperty()
    rejections_total = IntegerProperty()
    rejection_places = ArrayProperty(StringProperty())
    rejection_reasons = ArrayProperty(StringProperty())
    rejection_remedies = ArrayProperty(StringProperty())
    error = StringProperty()
    remedy = StringProperty()

    composite_indexes = (("workspace", "created_at"),)


class AccessToken(GraphNode):
    """An API key. The secret is not here, only its digest.

    `actor` is the key of the actor through whose eyes it reads; without one, what is public.
    It is no relationship, so that an actor's surroundings show chat alone.
    """

    token_id = StringProperty(required=True, unique_index=True)
    name = StringProperty(required=True)
    actor = StringProperty()
    scopes = ArrayProperty(StringProperty(), required=True)
    secret_sha256 = StringProperty(required=True)
    created_at = DateTimeProperty(required=True)
    expires_at = DateTimeProperty()
    revoked_at = DateTimeProperty()
    last_used_at = DateTimeProperty()
