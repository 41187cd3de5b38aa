"""What clients are told of errors of the database, by their kind."""

from __future__ import annotations

import pytest
from graphql import GraphQLError
from neo4j.exceptions import Neo4jError, ResultError, SessionExpired

from egcforest.api.graphql.errors import ErrorCode, api_error, presented
from egcforest.graph.errors import DatabaseMemoryError

SECRET = "bolt://db.internal.example:7687"


def from_server(code: str) -> Neo4jError:
    return Neo4jError._hydrate_neo4j(code=code, message=SECRET)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (from_server("Neo.TransientError.Transaction.DeadlockDetected"), ErrorCode.UNAVAILABLE),
        (from_server("Neo.ClientError.Cluster.NotALeader"), ErrorCode.UNAVAILABLE),
        (SessionExpired(SECRET), ErrorCode.UNAVAILABLE),
        (DatabaseMemoryError(SECRET), ErrorCode.UNAVAILABLE),
        # These would fail the next time as well: they are faults of ours.
        (from_server("Neo.ClientError.Statement.SyntaxError"), ErrorCode.INTERNAL),
        (ResultError(SECRET), ErrorCode.INTERNAL),
        (KeyError(SECRET), ErrorCode.INTERNAL),
    ],
)
def test_what_may_pass_is_told_as_unavailable(error: Exception, code: ErrorCode) -> None:
    shown = api_error(error)
    assert shown.code is code
    assert shown.remedy
    assert SECRET not in str(presented(GraphQLError("", original_error=error), "id").formatted)
