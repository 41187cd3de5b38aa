"""Every label, relationship type and written property in a Cypher file is declared."""

from __future__ import annotations

import re

import pytest

from egcforest import cypher
from egcforest.graph.schema import NODE_CLASSES

LABELS = {cls.__label__ for cls in NODE_CLASSES}
TYPES = {
    definition.definition["relation_type"]
    for cls in NODE_CLASSES
    for definition in cls.defined_properties(aliases=False, properties=False).values()
}
PROPERTIES = {
    name for cls in NODE_CLASSES for name in cls.defined_properties(aliases=False, rels=False)
} | {"position", "view", "identifier"}

CODE = re.compile(r"'(?:[^'\\]|\\.)*'|//.*")
LABEL = re.compile(r"\(\w*:([A-Z]\w*(?:\|[A-Z]\w*)*)")
TYPE = re.compile(r"\[\w*:([A-Z_]+(?:\|[A-Z_]+)*)")
WRITTEN = re.compile(r"(?:\bSET|,)\s+\w+\.(\w+)\s*=(?!=)")


@pytest.mark.parametrize("name", cypher.names())
def test_names_are_declared(name: str) -> None:
    code = CODE.sub("", cypher.load(name))
    assert {part for found in LABEL.findall(code) for part in found.split("|")} <= LABELS
    assert {part for found in TYPE.findall(code) for part in found.split("|")} <= TYPES
    assert set(WRITTEN.findall(code)) <= PROPERTIES
