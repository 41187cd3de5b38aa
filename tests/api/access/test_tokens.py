"""The text of an API key; no database."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from egcforest.api.access.tokens import (
    LENGTH,
    ApiKey,
    looks_like_api_key,
    token_id_of,
    without_secrets,
)


def test_a_key_is_read_as_it_was_written():
    key = ApiKey.new()
    assert len(key.text) == LENGTH
    assert looks_like_api_key(key.text)
    assert ApiKey.parse(key.text) == key
    assert token_id_of(key.text) == token_id_of(key.token_id) == key.token_id
    assert token_id_of(f"egcf_{key.token_id}") == key.token_id


def test_keys_differ_in_every_part():
    keys = [ApiKey.new() for _ in range(200)]
    assert len({key.token_id for key in keys}) == len({key.secret for key in keys}) == 200
    # All characters are used: 43 of 62 are more than 256 bits.
    assert set("".join(key.secret for key in keys)) == set(string.ascii_letters + string.digits)


def test_a_mistyped_character_is_noticed():
    text = ApiKey.new().text
    for at in range(len("egcf_"), len(text)):
        if text[at] != "_":
            wrong = text[:at] + ("a" if text[at] != "a" else "b") + text[at + 1 :]
            assert ApiKey.parse(wrong) is None


@pytest.mark.parametrize(
    "change",
    [
        str.upper,
        str.lower,
        lambda text: text + "\n",
        lambda text: " " + text,
        lambda text: text + "0",
        lambda text: text[:-1],
        lambda text: text.replace("_", "-"),
        lambda text: text.replace("egcf", "egcf\u200b"),
        lambda text: text[:-1] + "\u0661",
        lambda _: "",
    ],
)
def test_nothing_but_the_very_text_is_a_key(change):
    assert ApiKey.parse(change(ApiKey.new().text)) is None


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str):
    assert ApiKey.parse(text) is None
    assert ApiKey.parse("egcf_" + text) is None
    without_secrets(text)


def test_the_digest_fits_its_own_key_alone():
    key = ApiKey.new()
    assert len(key.digest) == 64
    assert key.fits(key.digest)
    assert not key.fits(ApiKey.new().digest)
    assert not ApiKey(key.token_id, key.secret[:-1] + "!").fits(key.digest)


def test_no_secret_is_shown_by_mistake():
    key = ApiKey.new()
    assert key.secret not in repr(key)
    token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
    line = f'GET /x?token={key.text} "Bearer {token}" {key.text[:-3]}'
    assert without_secrets(line) == (
        f'GET /x?token=egcf_{key.token_id}_*** "Bearer ***" egcf_{key.token_id}_***'
    )
    assert without_secrets("nothing to see: eyJust a word") == "nothing to see: eyJust a word"
