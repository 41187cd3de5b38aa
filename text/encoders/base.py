"""What every encoder offers, and what they share."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
T = TypeVar("T")


class EncoderDescription(Protocol):
    """What an encoder's vectors depend on: they are only comparable where all four agree."""

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


class Encoder(EncoderDescription, Protocol):
    """Turns texts into vectors of unit length whose scalar product is their similarity.

    Its description is stored with the index. Every method may be called from several threads at
    once.
    """

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents, shape (len(texts), dimension), each of unit length."""
        ...

    def encode_query(self, text: str) -> Vectors:
        """The vector of one question, shape (dimension,), of unit length."""
        ...


class BatchEncoder(ABC):
    """An encoder that treats a question as it treats a list of one, but for the prompt."""

    document_prompt = ""
    query_prompt = ""

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents, shape (len(texts), dimension), each of unit length."""
        return self._encode([self.document_prompt + text for text in texts])

    def encode_query(self, text: str) -> Vectors:
        """The vector of one question, shape (dimension,), of unit length."""
        vector: Vectors = self._encode([self.query_prompt + text])[0]
        return vector

    @abstractmethod
    def _encode(self, texts: list[str]) -> Vectors:
        """Vectors of texts that have their prompts, each of unit length."""


class Lazy(Generic[T]):
    """Something costly that is made at its first use: once, however many threads ask for it.

    Args:
        make: makes it. If it raises, the next use tries again.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: list[T] = []

    def get(self) -> T:
        """The thing."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]


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
