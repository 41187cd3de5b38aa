"""The statements derived from the neomodel classes; no database."""

from __future__ import annotations

import re

import pytest

from egcforest.graph.ddl import drop_index, schema_statements, vector_index_names
from egcforest.graph.schema import NODE_CLASSES, Message
from egcforest.graph.schema_base import FullTextIndexSpec

LONG_TEXTS = {"text", "raw", "terms", "context_terms", "summary", "card_text", "card_terms",
              "alias_terms", "header_terms", "summary_terms", "purpose", "topic"}  # fmt: skip


def by_name(dimension: int | None = 256) -> dict[str, str]:
    return {statement.name: statement.text for statement in schema_statements(dimension)}


def test_every_node_has_a_unique_key_and_a_workspace() -> None:
    texts = by_name().values()
    for cls in NODE_CLASSES:
        assert any(f"(n:{cls.__label__}) REQUIRE n.key IS UNIQUE" in text for text in texts)
        assert "workspace" in cls.defined_properties()


def test_no_long_text_stands_in_a_range_index() -> None:
    """Fault 14: an 8,000-character text fails the write."""
    for statement in schema_statements(256):
        if statement.text.startswith(("CREATE INDEX", "CREATE CONSTRAINT")):
            assert not LONG_TEXTS & set(statement.fields)


def test_vector_indexes_filter_and_follow_the_encoder() -> None:
    text = by_name(384)["message_vector"]
    assert text.startswith("CYPHER 25 CREATE VECTOR INDEX message_vector IF NOT EXISTS")
    assert "WITH [n.workspace, n.audience, n.at]" in text
    assert "`vector.dimensions`: 384" in text
    assert "cosine" in text
    assert not set(vector_index_names()) & by_name(None).keys()
    assert set(vector_index_names()) == {"message_vector", "node_vector"}


def test_full_text_indexes_split_at_white_space_only() -> None:
    texts = [text for text in by_name().values() if "FULLTEXT" in text]
    assert len(texts) == 3
    assert all("'whitespace'" in text for text in texts)


def test_all_statements_can_run_twice_and_hold_plain_names() -> None:
    statements = schema_statements(256)
    assert len({statement.name for statement in statements}) == len(statements)
    for statement in statements:
        assert "IF NOT EXISTS" in statement.text
        assert re.fullmatch(r"[a-z_]+", statement.name)


@pytest.mark.parametrize("name", ["x; DROP", "a b", "", "`x`"])
def test_names_that_are_no_identifiers_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no plain identifier"):
        drop_index(name)


def test_an_index_over_an_undeclared_property_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Message, "full_text", FullTextIndexSpec("message_text", ("nope",)))
    with pytest.raises(ValueError, match="'nope'"):
        schema_statements(None)


def test_relationships_are_those_of_the_design() -> None:
    types = {
        definition.definition["relation_type"]
        for cls in NODE_CLASSES
        for definition in cls.defined_properties(aliases=False, properties=False).values()
    }
    assert types == {"IN", "BY", "MENTIONS", "REPLIES_TO", "SAME_IDENTIFIER", "SUPERSEDES",
                     "PLACED", "ABOUT", "ROOT", "CHILD", "MEMBER_OF"}  # fmt: skip
