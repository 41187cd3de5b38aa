"""Server-sent events from bytes."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from egcforest.api.client.events import Event, EventDecoder

STREAM = (
    ":\n\n"
    'event: next\r\ndata: {"text": "x\u2028y\x0cz"}\r\n\r\n'
    "event: next\rdata: a\rdata:b\r\r"
    ": keep alive\n\n"
    "id: 7\ndata:  two\n\n"
    "event: complete\n\n"
).encode()
EVENTS = [
    Event("next", '{"text": "x\u2028y\x0cz"}'),
    Event("next", "a\nb"),
    Event("message", " two"),
    Event("complete", ""),
]


@given(st.lists(st.integers(0, len(STREAM)), max_size=20))
def test_events_are_the_same_wherever_the_bytes_are_cut(cuts: list[int]) -> None:
    decoder, found = EventDecoder(), []
    places = [0, *sorted(cuts), len(STREAM)]
    for start, end in itertools.pairwise(places):
        found += decoder.feed(STREAM[start:end])
    assert found == EVENTS


def test_an_event_without_an_end_is_not_gathered_for_ever() -> None:
    decoder, line = EventDecoder(), b"data: " + b"x" * 1024 * 1024 + b"\n"
    with pytest.raises(ValueError, match="large"):
        list(itertools.chain.from_iterable(decoder.feed(line) for _ in range(100)))
