"""What a request says of who sent it; no database."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.datastructures import Headers

from egcforest.api.access.credentials import Credentials
from egcforest.api.access.principal import UnauthenticatedError


def headers(*pairs: tuple[str, bytes]) -> Headers:
    return Headers(raw=[(name.lower().encode(), value) for name, value in pairs])


def test_headers_are_read():
    found = Credentials.of_headers(
        headers(("Authorization", b"Bearer x"), ("X-EGCForest-On-Behalf-Of", b"ana"))
    )
    assert found == Credentials("Bearer x", "ana")
    assert Credentials.of_headers(headers()) == Credentials()
    assert "Bearer" not in repr(found)


def test_an_empty_header_is_no_missing_one():
    found = Credentials.of_headers(headers(("X-EGCForest-On-Behalf-Of", b"")))
    assert found.on_behalf_of == ""


def test_names_in_any_script_go_as_utf8():
    name = "Zoë Müller 田中"
    assert (
        Credentials.of_headers(headers(("X-EGCForest-On-Behalf-Of", name.encode()))).on_behalf_of
        == name
    )
    assert (
        Credentials.of_headers(
            headers(("X-EGCForest-On-Behalf-Of", "Zoë".encode("latin-1")))
        ).on_behalf_of
        == "Zoë"
    )


@pytest.mark.parametrize("name", ["Authorization", "X-EGCForest-On-Behalf-Of"])
def test_a_header_twice_is_refused(name: str):
    for second in (b"Bearer x", b"Bearer y"):
        with pytest.raises(UnauthenticatedError):
            Credentials.of_headers(headers((name, b"Bearer x"), (name, second)))


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (None, Credentials("Bearer h")),
        ({}, Credentials("Bearer h")),
        ({"Authorization": "Bearer h"}, Credentials("Bearer h")),
        ({"x-egcforest-on-behalf-of": "ana"}, Credentials("Bearer h", "ana")),
        ({"other": 1}, Credentials("Bearer h")),
    ],
)
def test_a_websocket_may_say_more(payload: Any, expected: Credentials):
    assert Credentials("Bearer h").with_payload(payload) == expected


@pytest.mark.parametrize(
    "payload",
    [
        {"Authorization": "Bearer other"},
        {"Authorization": "Bearer h", "authorization": "Bearer h"},
        {"Authorization": 1},
        {"Authorization": ["Bearer h"]},
        {"Authorization": {"a": "Bearer h"}},
        ["Authorization"],
        "Bearer h",
        7,
    ],
)
def test_a_websocket_may_not_say_something_else(payload: Any):
    with pytest.raises(UnauthenticatedError):
        Credentials("Bearer h").with_payload(payload)


def test_a_browser_signs_in_by_its_first_message():
    assert Credentials().with_payload({"authorization": "Bearer x"}) == Credentials("Bearer x")
