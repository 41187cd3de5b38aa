"""What every encoder offers, and what they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """Turns texts into vectors of unit length whose scalar product is their similarity.

    `model_id`, `dimension` and the two prompts are stored with the index: vectors are only
    comparable where all of them agree. Every method may be called from several threads at once.
    """

    @property
    def model_id(self) -> str:
        """Which model, with what changes its vectors."""
        ...

    @property
    def dimension(self) -> int:
        """The width of a vector."""
        ...

    @property
    def document_prompt(self) -> str:
        """What is put before each document; empty if nothing is."""
        ...

    @property
    def query_prompt(self) -> str:
        """What is put before each question; empty if nothing is."""
        ...

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents, shape (len(texts), dimension), each of unit length."""
        ...

    def encode_query(self, text: str) -> Vectors:
        """The vector of one question, shape (dimension,), of unit length."""
        ...


def unit_rows(vectors: Vectors) -> Vectors:
    """`vectors` with each row scaled to unit length.

    A row without a finite direction (an empty text) becomes the first axis: finite, of unit length
    like all others, and the same every time, because a vector index refuses the zero vector.
    """
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1)
    broken = ~np.isfinite(lengths) | (lengths < 1e-12)
    if broken.any():
        rows = rows.copy()
        rows[broken] = 0.0
        rows[broken, 0] = 1.0
        lengths = np.where(broken, 1.0, lengths)
    scaled: Vectors = (rows / lengths[:, None]).astype(np.float32, copy=False)
    return scaled
