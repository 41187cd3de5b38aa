"""The client's queries against the schema: they are valid, cheap, and say what the models hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from graphql import (
    FragmentDefinitionNode,
    GraphQLEnumType,
    GraphQLSchema,
    OperationDefinitionNode,
    build_schema,
    parse,
    print_ast,
    validate,
)

from egcforest.api.client import enums
from egcforest.api.client.documents import document
from egcforest.api.graphql.cost import measure
from egcforest.api.graphql.schema import build_schema as served_schema
from egcforest.api.settings import Settings

ROOT = Path(__file__).resolve().parents[3]
QUERIES = sorted((ROOT / "api" / "client" / "queries").glob("*.graphql"))
ENUMS = [
    kind
    for kind in vars(enums).values()
    if isinstance(kind, type) and issubclass(kind, enums.OpenEnum) and kind is not enums.OpenEnum
]
NAMES = {
    "JobKind": "IngestJobKind",
    "JobState": "IngestJobState",
    "MessageKind": "MessageKindInput",
}
# The most that the client's methods ask for.
LARGEST = {"first": 100, "items": 100, "trace": True}


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build_schema((ROOT / "docs" / "schema.graphql").read_text("utf-8"))


@pytest.fixture(params=QUERIES, ids=lambda path: path.stem)
def query(request: pytest.FixtureRequest) -> str:
    return document(request.param.stem)


def test_queries_are_valid(schema: GraphQLSchema, query: str) -> None:
    assert validate(schema, parse(query)) == []


def test_queries_keep_within_the_limits_of_the_service(query: str) -> None:
    settings = Settings()
    parsed = parse(query)
    (operation,) = [one for one in parsed.definitions if isinstance(one, OperationDefinitionNode)]
    found = measure(served_schema()._schema, parsed, operation, LARGEST)
    assert found.cost <= settings.serve_max_cost
    assert found.depth <= settings.serve_max_depth
    assert found.aliases <= settings.serve_max_aliases
    assert found.fields <= settings.serve_max_fields
    assert len(re.findall(r"\w+|[^\w\s]", query)) <= settings.serve_max_query_tokens


def test_fragments_of_one_name_are_the_same_everywhere() -> None:
    seen: dict[str, str] = {}
    for path in QUERIES:
        for one in parse(path.read_text("utf-8")).definitions:
            if isinstance(one, FragmentDefinitionNode):
                assert seen.setdefault(one.name.value, print_ast(one)) == print_ast(one), path.name


def test_enums_are_those_of_the_schema(schema: GraphQLSchema) -> None:
    for kind in ENUMS:
        theirs = schema.get_type(NAMES.get(kind.__name__, kind.__name__))
        assert isinstance(theirs, GraphQLEnumType), kind
        assert set(kind.__members__) == set(theirs.values)
        assert all(member.value == name for name, member in kind.__members__.items())


def test_an_enum_takes_what_a_later_service_adds() -> None:
    assert enums.View("artifact") is enums.View.ARTIFACT
    later = enums.View("CUSTOMER")
    assert later == "CUSTOMER"
    assert later.value == "CUSTOMER"
    assert later not in set(enums.View)
    with pytest.raises(ValueError, match="7"):
        enums.View(7)
