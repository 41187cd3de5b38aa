"""Data definition statements, derived from the classes in `graph.schema`.

Names of labels, properties and indexes cannot be parameters in Cypher. They come from the
classes alone, and each is checked to be a plain identifier.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .schema import NODE_CLASSES
from .schema_base import GraphNode

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Statement:
    """One constraint or index: its name, its DDL, and the properties it covers."""

    name: str
    text: str
    fields: tuple[str, ...]
    vector: bool = False
    constraint: bool = False


def schema_statements(dimension: int | None) -> tuple[Statement, ...]:
    """Everything the schema needs, constraints first.

    Args:
        dimension: the width of the encoder's vectors; None leaves the vector indexes out.
    """
    statements: list[Statement] = []
    for cls in NODE_CLASSES:
        statements.extend(_constraints_and_ranges(cls))
    for cls in NODE_CLASSES:
        if cls.full_text is not None:
            statements.append(_full_text(cls))
        if cls.vector_index is not None and dimension is not None:
            statements.append(_vector(cls, dimension))
    return tuple(statements)


def vector_index_names() -> tuple[str, ...]:
    """Names of the vector indexes that the schema declares."""
    return tuple(_name(cls.vector_index.name) for cls in NODE_CLASSES if cls.vector_index)


def drop_index(name: str) -> str:
    """The statement that drops the index called `name`, if it is there."""
    return f"DROP INDEX {_name(name)} IF EXISTS"


def _constraints_and_ranges(cls: type[GraphNode]) -> Iterator[Statement]:
    label = _name(cls.__label__)
    stem = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", label).lower()
    properties: dict[str, Any] = cls.defined_properties(aliases=False, rels=False)
    for field, declared in sorted(properties.items()):
        if declared.unique_index:
            name = f"{stem}_{_name(field)}_unique"
            yield Statement(
                name,
                f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) "
                f"REQUIRE n.{field} IS UNIQUE",
                (field,),
                constraint=True,
            )
        elif declared.index:
            name = f"{stem}_{_name(field)}"
            yield Statement(
                name, f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.{field})", (field,)
            )
    for fields in cls.composite_indexes:
        name = "_".join((stem, *map(_name, fields)))
        yield Statement(
            name,
            f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON ({_fields(cls, fields)})",
            fields,
        )


def _full_text(cls: type[GraphNode]) -> Statement:
    spec = cls.full_text
    assert spec is not None
    name = _name(spec.name)
    return Statement(
        name,
        f"CREATE FULLTEXT INDEX {name} IF NOT EXISTS FOR (n:{_name(cls.__label__)}) "
        f"ON EACH [{_fields(cls, spec.fields)}] "
        f"OPTIONS {{indexConfig: {{`fulltext.analyzer`: '{_name(spec.analyzer)}'}}}}",
        spec.fields,
    )


def _vector(cls: type[GraphNode], dimension: int) -> Statement:
    spec = cls.vector_index
    assert spec is not None
    name = _name(spec.name)
    return Statement(
        name,
        # WITH [properties] exists in Cypher 25 only.
        f"CYPHER 25 CREATE VECTOR INDEX {name} IF NOT EXISTS FOR (n:{_name(cls.__label__)}) "
        f"ON {_fields(cls, (spec.field,))} WITH [{_fields(cls, spec.filters)}] "
        f"OPTIONS {{indexConfig: {{`vector.dimensions`: {int(dimension)}, "
        f"`vector.similarity_function`: '{_name(spec.similarity)}'}}}}",
        (spec.field, *spec.filters),
        vector=True,
    )


def _fields(cls: type[GraphNode], fields: tuple[str, ...]) -> str:
    known = cls.defined_properties(aliases=False, rels=False)
    for field in fields:
        if field not in known:
            raise ValueError(f"{cls.__name__} declares an index over {field!r}, which it has not.")
    return ", ".join(f"n.{_name(field)}" for field in fields)


def _name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise ValueError(f"{value!r} is no plain identifier.")
    return value
