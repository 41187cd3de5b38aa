"""What all declarations of nodes share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neomodel import AsyncStructuredNode, StringProperty


@dataclass(frozen=True, slots=True)
class VectorIndexSpec:
    """A vector index over `field`, filtered inside the index by `filters`."""

    name: str
    field: str
    filters: tuple[str, ...]
    similarity: str = "cosine"


@dataclass(frozen=True, slots=True)
class FullTextIndexSpec:
    """A full-text index over `fields`, which hold tokens that white space separates."""

    name: str
    fields: tuple[str, ...]
    analyzer: str = "whitespace"


class GraphNode(AsyncStructuredNode):
    """What all nodes share; itself not a label."""

    __abstract_node__ = True

    composite_indexes: ClassVar[tuple[tuple[str, ...], ...]] = ()
    full_text: ClassVar[FullTextIndexSpec | None] = None
    vector_index: ClassVar[VectorIndexSpec | None] = None

    key = StringProperty(unique_index=True)
    workspace = StringProperty(required=True)
