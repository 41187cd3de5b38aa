"""The one declaration of labels, properties, relationships, constraints and indexes.

The classes are neomodel's, so that any neomodel tool can read them. The service itself writes
through `graph.store`; `graph.ddl` turns the declarations into data definition statements.

neomodel cannot express three things that the service needs: one full-text index over several
properties, range indexes over two properties, and vector indexes that filter by further
properties. They are declared on the classes as `full_text`, `composite_indexes` and `vector`.

Every node has a unique `key` that starts with its workspace, so that `key STARTS WITH` over
the constraint's index serves everything that walks one workspace.

Long texts stand in no range index: a value above 8 kB would fail the write.
"""

from __future__ import annotations

from neomodel import (
    ArrayProperty,
    AsyncRelationshipTo,
    AsyncStructuredRel,
    BooleanProperty,
    DateTimeProperty,
    FloatProperty,
    IntegerProperty,
    StringProperty,
)

from .schema_base import FullTextIndexSpec, GraphNode, VectorIndexSpec
from .service_schema import AccessToken, Job

SCHEMA_VERSION = 1
"""Goes up when a stored graph must be changed to fit the classes below."""

INSTALLATION_KEY = "installation"


class Positioned(AsyncStructuredRel):
    """CHILD: `position` orders the children of a forest node."""

    position = IntegerProperty(required=True)


class Placement(AsyncStructuredRel):
    """PLACED: one entry of the Placement Map."""

    view = StringProperty(required=True)
    position = IntegerProperty(required=True)


class IdentifierBridge(AsyncStructuredRel):
    """SAME_IDENTIFIER: to the previous message that names the same identifier."""

    identifier = StringProperty(required=True)


class Installation(GraphNode):
    """The single node that says what the graph was written with.

    `reencoding` is set while the vectors of a former encoder are being dropped.
    """

    schema_version = IntegerProperty(required=True)
    model_id = StringProperty()
    dimension = IntegerProperty()
    document_prompt = StringProperty()
    query_prompt = StringProperty()
    reencoding = BooleanProperty()


class Workspace(GraphNode):
    """One tenant; its key is its name. `build_owner` may build its forests until
    `build_until`; `audience_changes` counts how often a channel became another audience's."""

    name = StringProperty(required=True)
    created_at = DateTimeProperty()
    built_with = StringProperty()
    build_owner = StringProperty()
    build_until = DateTimeProperty()
    audience_changes = IntegerProperty()


class Actor(GraphNode):
    """A person, a bot, or a placeholder.

    `build_pending` holds the workspace while its trees are stale; `refresh_pending` is set
    while its messages still carry a former name.
    """

    source_id = StringProperty(required=True)
    name = StringProperty(required=True)
    real_name = StringProperty()
    title = StringProperty()
    aliases = ArrayProperty(StringProperty())
    is_bot = BooleanProperty()
    is_deleted = BooleanProperty()
    placeholder = BooleanProperty()
    refresh_pending = BooleanProperty()
    build_pending = StringProperty(index=True)
    building = StringProperty(index=True)
    built_name = StringProperty()

    member_of = AsyncRelationshipTo("Channel", "MEMBER_OF")


class Channel(GraphNode):
    """A channel or conversation.

    `build_pending` is set by the transaction that appends; `refresh_pending` while its messages
    still carry a former name or audience; `members_listed` once an export listed its members.
    `introduced_by` says who brought it, where that was somebody who may open no others.
    """

    source_id = StringProperty(required=True)
    name = StringProperty(required=True)
    kind = StringProperty(required=True)
    audience = StringProperty(required=True)
    purpose = StringProperty()
    topic = StringProperty()
    archived = BooleanProperty()
    members_listed = BooleanProperty()
    introduced_by = StringProperty()
    placeholder = BooleanProperty()
    refresh_pending = BooleanProperty()
    build_pending = StringProperty(index=True)
    building = StringProperty(index=True)
    built_name = StringProperty()
    built_reading = StringProperty()
    identifiers = ArrayProperty(StringProperty())
    identifier_counts = ArrayProperty(IntegerProperty())
    renames = ArrayProperty(StringProperty())


class Artifact(GraphNode):
    """A deliverable. Its titles and aliases hang on its trees, which have one audience."""

    kind = StringProperty(required=True)
    identifier = StringProperty(required=True)
    build_pending = StringProperty(index=True)
    building = StringProperty(index=True)


class Message(GraphNode):
    """One entry of the log.

    `channel` and `author` are keys. `content` is the digest of what the source said.
    `stamp` is `at` as digits, for the full-text index. Only the current entry of a message
    that people wrote is `live`; only a live one has `terms`, `context_terms`, `vector`,
    `episode`, and relationships other than IN, BY and SUPERSEDES.
    """

    channel = StringProperty(required=True)
    audience = StringProperty(required=True)
    author = StringProperty(required=True)
    source_id = StringProperty(required=True)
    source_ts = StringProperty(required=True)
    at = DateTimeProperty(required=True)
    stamp = StringProperty(required=True)
    text = StringProperty(required=True)
    raw = StringProperty()
    content = StringProperty(required=True)
    kind = StringProperty(required=True)
    revision = StringProperty(required=True)
    live = BooleanProperty(required=True)
    thread = StringProperty()
    reply_to = StringProperty()
    mentions = ArrayProperty(StringProperty())
    channel_mentions = ArrayProperty(StringProperty())
    identifiers = ArrayProperty(StringProperty())
    identifier_titles = ArrayProperty(StringProperty())
    files = ArrayProperty(StringProperty())
    link = StringProperty()
    author_name = StringProperty()
    channel_name = StringProperty()
    caption = StringProperty()
    terms = StringProperty()
    context_terms = StringProperty()
    episode = StringProperty()
    vector = ArrayProperty(FloatProperty())
    encode_pending = StringProperty(index=True)

    composite_indexes = (("channel", "at"), ("channel", "reply_to"), ("channel", "thread"))
    full_text = FullTextIndexSpec(
        "message_text",
        ("workspace", "audience", "channel", "author", "stamp", "terms", "context_terms"),
    )
    vector_index = VectorIndexSpec("message_vector", "vector", ("workspace", "audience", "at"))

    placed = AsyncRelationshipTo("ForestNode", "PLACED", model=Placement)
    in_channel = AsyncRelationshipTo("Channel", "IN")
    by = AsyncRelationshipTo("Actor", "BY")
    mentions_actor = AsyncRelationshipTo("Actor", "MENTIONS")
    mentions_channel = AsyncRelationshipTo("Channel", "MENTIONS")
    mentions_artifact = AsyncRelationshipTo("Artifact", "MENTIONS")
    replies_to = AsyncRelationshipTo("Message", "REPLIES_TO")
    supersedes = AsyncRelationshipTo("Message", "SUPERSEDES")
    same_identifier = AsyncRelationshipTo("Message", "SAME_IDENTIFIER", model=IdentifierBridge)


class Tree(GraphNode):
    """One subject of one view for one audience; carries the subject's card.

    Of the `card_…` lists it has those of its view which the messages support.
    """

    view = StringProperty(required=True)
    subject = StringProperty(required=True)
    audience = StringProperty(required=True)
    name = StringProperty(required=True)
    aliases = ArrayProperty(StringProperty())
    alias_terms = StringProperty()
    card_purpose = ArrayProperty(StringProperty())
    card_period = ArrayProperty(StringProperty())
    card_participants = ArrayProperty(StringProperty())
    card_topics = ArrayProperty(StringProperty())
    card_decisions = ArrayProperty(StringProperty())
    card_name = ArrayProperty(StringProperty())
    card_role = ArrayProperty(StringProperty())
    card_channels = ArrayProperty(StringProperty())
    card_commitments = ArrayProperty(StringProperty())
    card_works_with = ArrayProperty(StringProperty())
    card_title = ArrayProperty(StringProperty())
    card_kind = ArrayProperty(StringProperty())
    card_identifiers = ArrayProperty(StringProperty())
    card_owner = ArrayProperty(StringProperty())
    card_status_changes = ArrayProperty(StringProperty())
    card_dates = ArrayProperty(StringProperty())
    card_text = StringProperty()
    card_terms = StringProperty()
    digest = StringProperty()
    size = IntegerProperty()
    span_from = DateTimeProperty()
    span_to = DateTimeProperty()

    composite_indexes = (("subject", "audience"),)
    full_text = FullTextIndexSpec(
        "tree_text", ("workspace", "audience", "view", "alias_terms", "card_terms")
    )

    about_channel = AsyncRelationshipTo("Channel", "ABOUT")
    about_actor = AsyncRelationshipTo("Actor", "ABOUT")
    about_artifact = AsyncRelationshipTo("Artifact", "ABOUT")
    root = AsyncRelationshipTo("ForestNode", "ROOT")


class ForestNode(GraphNode):
    """An inner node of a tree; level 1 holds messages. `tree` is the tree's key.

    `stamp_from` and `stamp_to` are the span as digits, for the full-text index.
    """

    tree = StringProperty(required=True, index=True)
    view = StringProperty(required=True)
    audience = StringProperty(required=True)
    level = IntegerProperty(required=True)
    size = IntegerProperty(required=True)
    span_from = DateTimeProperty(required=True)
    span_to = DateTimeProperty(required=True)
    stamp_from = StringProperty(required=True)
    stamp_to = StringProperty(required=True)
    caption = StringProperty()
    summary = StringProperty()
    terms = StringProperty()
    header_terms = StringProperty()
    summary_terms = StringProperty()
    digest = StringProperty()
    vector = ArrayProperty(FloatProperty())
    encode_pending = StringProperty(index=True)

    full_text = FullTextIndexSpec(
        "node_text",
        (
            "workspace",
            "audience",
            "view",
            "stamp_from",
            "stamp_to",
            "terms",
            "header_terms",
            "summary_terms",
        ),
    )
    vector_index = VectorIndexSpec(
        "node_vector",
        "vector",
        ("workspace", "audience", "view", "level", "span_from", "span_to"),
    )

    child = AsyncRelationshipTo("ForestNode", "CHILD", model=Positioned)


NODE_CLASSES: tuple[type[GraphNode], ...] = (
    Installation,
    Workspace,
    Actor,
    Channel,
    Artifact,
    Message,
    Tree,
    ForestNode,
    Job,
    AccessToken,
)
