"""What a message's vector is made of."""

from __future__ import annotations

import numpy as np

from egcforest.builders.vectors import in_context
from egcforest.graph.forest_records import PendingMessage


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
