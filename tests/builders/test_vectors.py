"""What a message's vector is made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from egcforest.builders.errors import EncodingStuckError
from egcforest.builders.progress import SilentReport
from egcforest.builders.vectors import Once, encode_pending, in_context
from egcforest.graph.forest_records import PendingMessage, PendingNode
from egcforest.text.encoders.base import Vectors
from egcforest.text.encoders.hashing import HashingEncoder


def _message(source_id: str, thread: str | None = None) -> PendingMessage:
    return PendingMessage(source_id, "Ana", "text", source_id, thread, True)


def test_neighbours_and_the_root_of_the_thread_are_mixed_in():
    episode = [_message("1"), _message("2", "1"), _message("3", "1"), _message("4")]
    mixed = in_context(episode, np.eye(4, dtype=np.float32))
    wanted = np.array(
        [[1, 0.4, 0, 0], [1.0, 1, 0.4, 0], [0.6, 0.4, 1, 0.4], [0, 0, 0.4, 1]], dtype=np.float32
    )
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    np.testing.assert_allclose(mixed, wanted, rtol=1e-6)


def test_a_message_alone_keeps_its_vector_and_a_root_elsewhere_adds_nothing():
    own = np.array([[0.6, 0.8]], dtype=np.float32)
    np.testing.assert_allclose(in_context([_message("2", "1")], own), own, rtol=1e-6)


class _Counting(HashingEncoder):
    """Notes what it is asked to encode."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().encode_documents(texts)


def test_a_text_that_comes_again_is_not_encoded_again() -> None:
    encoder = _Counting()
    once = Once(encoder, remembered=2)
    texts = ["budget", "budget", "release", "budget"]
    np.testing.assert_array_equal(once.encode(texts), HashingEncoder().encode_documents(texts))
    once.encode(["release", "review"])
    assert encoder.asked == ["budget", "release", "review"]
    # Only the latest two are remembered.
    once.encode(["budget", "review"])
    assert encoder.asked == ["budget", "release", "review", "budget"]


class _Stuck:
    """A graph whose nodes stay marked whatever is written."""

    writes = 0

    async def count_pending(self) -> tuple[int, int]:
        return 0, 9000

    async def pending_nodes(self, limit: int) -> list[PendingNode]:
        return [PendingNode(f"w/t/{n}", "", "caption", "") for n in range(limit)]

    async def set_node_vectors(self, rows: Sequence[object]) -> None:
        self.writes += 1


async def test_what_cannot_be_stored_ends_in_an_error_and_not_in_a_loop():
    stuck = _Stuck()
    with pytest.raises(EncodingStuckError, match=r"of 4096 nodes could not be stored, that of"):
        await encode_pending(stuck, HashingEncoder(), SilentReport())  # type: ignore[arg-type]
    assert stuck.writes == 8
