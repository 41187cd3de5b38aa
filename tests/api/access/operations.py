"""Every root operation of the schema, written from the schema itself: none can be forgotten."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLUnionType,
    Visitor,
    get_named_type,
    is_required_argument,
    is_required_input_field,
    parse,
    visit,
)

from egcforest.api.access.principal import TokenScope
from egcforest.api.graphql.permissions import Needs
from egcforest.api.graphql.schema import build_schema

_SCALARS = {
    "ID": '"x"',
    "String": '"x"',
    "Int": "1",
    "Long": "1",
    "Float": "1.0",
    "Boolean": "true",
    "DateTime": '"2026-03-02T09:00:00Z"',
}
_FEW = 3


Arguments = dict[str, str]
"""Literals of GraphQL by the names of arguments."""


@dataclass(frozen=True)
class Operation:
    """One root field.

    Attributes:
        kind: query, mutation or subscription.
        name: of the field.
        needs: the scopes of which one is needed.
        field: as GraphQL has it.
    """

    kind: str
    name: str
    needs: tuple[TokenScope, ...]
    field: GraphQLField

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"

    def document(self, arguments: Arguments | None = None, *, depth: int = 0) -> str:
        """Text of the operation.

        Args:
            arguments: literals of GraphQL; what is required and not here is made up.
            depth: levels of fields to ask for below it; at 0 just what it is.
        """
        return f"{self.kind} {{ {self._text(arguments or {}, depth)} }}"

    def documents(self, requests: list[Arguments], *, most: int = 1500) -> Iterator[str]:
        """Texts that have the operation once for each of `requests`, with as many levels as
        fit and as few documents as will do."""
        depth = self.deepest(most=most // min(12, len(requests)))
        size = max(1, most // _size(self.document(depth=depth)))
        for start in range(0, len(requests), size):
            texts = (
                f"a{number}: {self._text(arguments, depth)}"
                for number, arguments in enumerate(requests[start : start + size])
            )
            yield f"{self.kind} {{ {' '.join(texts)} }}"

    def deepest(self, *, most: int) -> int:
        """Levels that can be asked for without more than `most` fields, 3 at most."""
        return next(d for d in (3, 2, 1, 0) if d == 0 or _size(self.document(depth=d)) <= most)

    def _text(self, arguments: Arguments, depth: int) -> str:
        given = {
            name: _of_type(argument.type)
            for name, argument in self.field.args.items()
            if is_required_argument(argument)
        } | {name: value for name, value in arguments.items() if name in self.field.args}
        listed = ", ".join(f"{name}: {value}" for name, value in given.items())
        below = _selection(get_named_type(self.field.type), depth, ())
        return f"{self.name}{f'({listed})' if listed else ''}{below}"


@cache
def _size(document: str) -> int:
    found = 0

    class Counter(Visitor):
        def enter_field(self, *_: Any) -> None:
            nonlocal found
            found += 1

    visit(parse(document), Counter())
    return found


def schema() -> GraphQLSchema:
    """The schema as graphql-core has it."""
    return build_schema().core


def operations() -> list[Operation]:
    """All of them, in order of kind and name."""
    strawberry = build_schema()
    found = []
    for kind in ("query", "mutation", "subscription"):
        root = getattr(schema(), f"{kind}_type")
        if root is None:
            continue
        declared = strawberry.get_type_by_name(root.name)
        names = strawberry.config.name_converter
        needs = {
            names.from_field(field): next(e for e in field.extensions if isinstance(e, Needs))
            for field in declared.fields
        }
        found += [
            Operation(kind, name, needs[name].scopes, field) for name, field in root.fields.items()
        ]
    return found


def as_literal(value: object) -> str:
    """A text or number as GraphQL writes it."""
    return json.dumps(value)


def _of_type(kind: Any) -> str:
    match kind:
        case GraphQLNonNull():
            return _of_type(kind.of_type)
        case GraphQLList():
            return f"[{_of_type(kind.of_type)}]"
        case GraphQLEnumType():
            return next(iter(kind.values))
        case GraphQLInputObjectType():
            fields = (
                f"{name}: {_of_type(field.type)}"
                for name, field in kind.fields.items()
                if is_required_input_field(field)
            )
            return f"{{{', '.join(fields)}}}"
        case GraphQLScalarType():
            # A scalar that is new here has to be given a value above.
            return _SCALARS[kind.name]
    raise TypeError(kind)


def _selection(
    kind: Any, depth: int, above: tuple[str, ...], clashing: Collection[str] = ()
) -> str:
    """What is asked of a type: all its scalars, and objects down to `depth` levels.

    Fields in `clashing` have another type in a type beside this one, and so another name here.
    """
    if isinstance(kind, GraphQLScalarType | GraphQLEnumType):
        return ""
    if isinstance(kind, GraphQLUnionType | GraphQLInterfaceType):
        possible = schema().get_possible_types(kind)
        clashing = {
            name
            for one in possible
            for name, field in one.fields.items()
            if any(name in two.fields and two.fields[name].type != field.type for two in possible)
        }
        parts = [f"... on {one.name}{_selection(one, depth, above, clashing)}" for one in possible]
        return f" {{ __typename {' '.join(parts)} }}"
    assert isinstance(kind, GraphQLObjectType)
    fields = (
        f"{kind.name}_{name}: {text}" if name in clashing else text
        for name, text in _fields(kind, depth, above)
    )
    return f" {{ __typename {' '.join(fields)} }}"


def _fields(
    kind: GraphQLObjectType, depth: int, above: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    for name, field in kind.fields.items():
        inner = get_named_type(field.type)
        plain = isinstance(inner, GraphQLScalarType | GraphQLEnumType)
        if (not plain or field.args) and depth == 0:
            continue
        arguments = [
            f"{argument}: {_of_type(declared.type)}"
            for argument, declared in field.args.items()
            if is_required_argument(declared) and argument != "first"
        ]
        if "first" in field.args:
            arguments.append(f"first: {_FEW}")
        called = f"{name}({', '.join(arguments)})" if arguments else name
        if plain:
            yield name, called
        # A type within itself tells nothing new; edges and pages do not count as levels.
        elif above.count(inner.name) < 2:
            step = 0 if inner.name.endswith(("Connection", "Edge")) else 1
            yield name, called + _selection(inner, depth - step, (*above, inner.name))
