"""Errors of the graph room; each message says what to do."""

from __future__ import annotations

from ..text.errors import EGCForestError


class GraphError(EGCForestError):
    """Base of the graph room's errors."""


class ConnectionFailedError(GraphError):
    """The database does not answer, or refuses the credentials."""


class SchemaError(GraphError):
    """The database's schema or version does not fit this release."""


class EncoderMismatchError(SchemaError):
    """The vectors in the graph come from another encoder than the one configured."""


class InvalidKeyError(GraphError):
    """A workspace name or an id cannot be made into a key."""


class PrivateNeo4jError(GraphError):
    """The private Neo4j could not be fetched, started or stopped."""


class QueryTimeoutError(GraphError):
    """A query took longer than its time limit."""


class DatabaseMemoryError(GraphError):
    """The database ran out of memory over a query. It would do so again."""


class UnknownActorError(GraphError):
    """No actor, or more than one, goes by the name given."""


class NobodyError(UnknownActorError):
    """No actor goes by the name given."""


class UnknownWorkspaceError(GraphError):
    """There is no workspace of the name given."""


class LeaseLostError(GraphError):
    """Another builder took over the workspace. What was written stays; build again."""


class AudienceChangedError(LeaseLostError):
    """A channel became another audience's while its messages were on their way into trees."""
