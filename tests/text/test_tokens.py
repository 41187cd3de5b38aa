"""Token counts: a real vocabulary, never fewer than none, any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from egcforest.text.tokens import default_token_counter


def test_counts_are_those_of_the_vocabulary() -> None:
    counter = default_token_counter()
    assert counter.count("") == 0
    assert counter.count("Hello world") == 2
    assert counter.count("The review of the launch plan is done.") in range(8, 12)


def test_scripts_without_spaces_are_not_one_token() -> None:
    assert default_token_counter().count("我们决定在六月发布新版本") >= 12


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=200))
def test_any_text_has_a_count(text: str) -> None:
    assert default_token_counter().count(text) >= (1 if text.strip() else 0)


def test_the_counter_is_one_per_process() -> None:
    assert default_token_counter() is default_token_counter()
