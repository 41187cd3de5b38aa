"""The schema as clients see it: exported, described, and in the forms that Relay expects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    build_schema,
    get_named_type,
    print_ast,
)

from egcforest.api.graphql.export import sdl

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build_schema(sdl())


def described(schema: GraphQLSchema) -> Iterator[tuple[str, str | None]]:
    """Everything that has a name in the schema, with its description."""
    for name, kind in schema.type_map.items():
        if name.startswith("__"):
            continue
        yield name, kind.description
        if isinstance(kind, GraphQLEnumType):
            for value in kind.values:
                yield f"{name}.{value}", kind.values[value].description
        if isinstance(kind, GraphQLInputObjectType):
            for field in kind.fields:
                yield f"{name}.{field}", kind.fields[field].description
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            for field, definition in kind.fields.items():
                yield f"{name}.{field}", definition.description
                for argument in definition.args:
                    yield f"{name}.{field}({argument})", definition.args[argument].description


def test_the_exported_schema_is_current() -> None:
    exported = (ROOT / "docs" / "schema.graphql").read_text("utf-8")
    assert exported == sdl(), "Run `make schema`."


def test_everything_has_a_description(schema: GraphQLSchema) -> None:
    assert [name for name, text in described(schema) if not (text or "").strip()] == []


def test_connections_are_those_of_relay(schema: GraphQLSchema) -> None:
    connections = [kind for name, kind in schema.type_map.items() if name.endswith("Connection")]
    assert len(connections) >= 8
    for kind in connections:
        assert isinstance(kind, GraphQLObjectType)
        assert str(kind.fields["pageInfo"].type) == "PageInfo!"
        edge = get_named_type(kind.fields["edges"].type)
        assert isinstance(edge, GraphQLObjectType)
        assert str(edge.fields["cursor"].type) == "String!"
        assert "node" in edge.fields
    page = schema.type_map["PageInfo"]
    assert isinstance(page, GraphQLObjectType)
    assert {name: str(field.type) for name, field in page.fields.items()} == {
        "hasNextPage": "Boolean!",
        "hasPreviousPage": "Boolean!",
        "startCursor": "String",
        "endCursor": "String",
    }
    for field in _fields(schema):
        if str(field.type).endswith("Connection!"):
            assert {"first", "after"} <= set(field.args)
            default = field.args["first"].ast_node
            assert default is not None
            assert print_ast(default).endswith("first: Int! = 20")


def test_lists_are_bounded(schema: GraphQLSchema) -> None:
    """Lists of types that lead on have a page size, as connections have."""
    unbounded = {
        f"{kind.name}.{name}"
        for kind in schema.type_map.values()
        if isinstance(kind, GraphQLObjectType) and not kind.name.startswith("__")
        for name, field in kind.fields.items()
        if "[" in str(field.type)
        and isinstance(get_named_type(field.type), GraphQLObjectType | GraphQLInterfaceType)
        and "first" not in field.args
        and name not in ("edges", "nodes")
    }
    # Bounded by what they hang on: `items` of a question, the height of a tree, 1,000 buckets.
    assert {name for name in unbounded if not name.startswith("Trace")} <= {
        "Answer.citations",
        "Evidence.headings",
        "Evidence.items",
        "ForestNode.ancestors",
        "IngestJob.rejections",
        "Statistics.messagesOverTime",
        "Tree.card",
        "UploadTarget.headers",
    }


def test_whatever_has_an_id_can_be_refetched(schema: GraphQLSchema) -> None:
    node = schema.type_map["Node"]
    assert isinstance(node, GraphQLInterfaceType)
    refetched = {kind.name for kind in schema.get_possible_types(node)}
    subjects = {"Channel", "Actor", "Artifact"}
    assert refetched >= subjects | {"Workspace", "Tree", "ForestNode", "Message"}
    # Clients of Relay keep everything by `id`: nothing else may have one.
    have_id = {
        kind.name
        for kind in schema.type_map.values()
        if isinstance(kind, GraphQLObjectType) and "id" in kind.fields
    }
    assert have_id - refetched == {"IngestJob"}  # which has a query of its own


def deprecated(schema: GraphQLSchema) -> Iterator[tuple[str, str]]:
    """Everything that is deprecated in the schema, with the reason."""
    for name, kind in schema.type_map.items():
        parts: dict[str, Any] = {}
        if isinstance(kind, GraphQLEnumType):
            parts = kind.values
        elif isinstance(kind, GraphQLInputObjectType | GraphQLObjectType | GraphQLInterfaceType):
            parts = kind.fields
        for part, definition in parts.items():
            if definition.deprecation_reason is not None:
                yield f"{name}.{part}", definition.deprecation_reason
            for argument, of in getattr(definition, "args", {}).items():
                if of.deprecation_reason is not None:
                    yield f"{name}.{part}({argument})", of.deprecation_reason


def vague_deprecations(schema: GraphQLSchema) -> list[str]:
    """What is deprecated without saying what to use instead, and until when it stays."""
    wanted = re.compile(r"Use `\w[^`]*`.* until ", re.DOTALL)
    return [name for name, reason in deprecated(schema) if not wanted.search(reason)]


def test_deprecations_name_what_to_use_instead(schema: GraphQLSchema) -> None:
    assert vague_deprecations(schema) == []


GOOD = '@deprecated(reason: "Use `other` instead; it stays until 2.0.")'


@pytest.mark.parametrize("bad", ["@deprecated", '@deprecated(reason: "Use `other` instead.")'])
def test_a_deprecation_is_found_wherever_it_stands(bad: str) -> None:
    text = """
    interface Shared { a: Int MARK, f(b: Int MARK): Int }
    type Query implements Shared { a: Int MARK, f(b: Int MARK, c: In): Int, e: Of }
    input In { d: Int MARK, other: Int }
    enum Of { E MARK, OTHER }
    """
    assert vague_deprecations(build_schema(text.replace("MARK", GOOD))) == []
    assert sorted(vague_deprecations(build_schema(text.replace("MARK", bad)))) == [
        "In.d", "Of.E", "Query.a", "Query.f(b)", "Shared.a", "Shared.f(b)",
    ]  # fmt: skip


def _fields(schema: GraphQLSchema):  # type: ignore[no-untyped-def]
    for kind in schema.type_map.values():
        if isinstance(kind, GraphQLObjectType) and not kind.name.startswith("__"):
            yield from kind.fields.values()
