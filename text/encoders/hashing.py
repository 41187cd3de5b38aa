"""A deterministic encoder without a model: for unit tests only."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ..analyzer import analyze
from ..errors import TextError
from .base import Vectors, unit_rows


class HashingEncoder:
    """Each analysed term adds one signed entry, chosen by its hash (the hashing trick).

    Two texts are similar as far as they share terms, nothing more. It is there so that unit tests
    are quick and exact; no deployment should use it.

    Args:
        dimension: the width, 64 to 4096.
    """

    document_prompt = ""
    query_prompt = ""

    def __init__(self, dimension: int = 256) -> None:
        if not 64 <= dimension <= 4096:
            raise TextError(f"The hashing encoder got a width of {dimension}.", "Use 64 to 4096.")
        self.dimension = dimension
        self.model_id = f"hashing-for-tests-{dimension}"

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents, shape (len(texts), dimension), each of unit length."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in analyze(text):
                slot, sign = _slot(term)
                vectors[row, slot % self.dimension] += sign
        return unit_rows(vectors)

    def encode_query(self, text: str) -> Vectors:
        """The vector of one question, shape (dimension,), of unit length."""
        vector: Vectors = self.encode_documents([text])[0]
        return vector


@lru_cache(maxsize=65536)
def _slot(term: str) -> tuple[int, float]:
    # Python's own hash() differs from process to process.
    digest = hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest[:7], "big"), 1.0 if digest[7] & 1 else -1.0
