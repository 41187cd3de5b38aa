"""A deterministic encoder without a model: for unit tests only."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np

from ..analyzer import analyze
from ..errors import TextError
from .base import BatchEncoder, Vectors, unit_rows


class HashingEncoder(BatchEncoder):
    """Each analysed term adds one signed entry, chosen by its hash (the hashing trick).

    Two texts are similar as far as they share terms, nothing more. It is there so that unit tests
    are quick and exact; no deployment should use it.

    Args:
        dimension: the width, 64 to 4096.
    """

    def __init__(self, dimension: int = 256) -> None:
        if not 64 <= dimension <= 4096:
            raise TextError(f"The hashing encoder got a width of {dimension}.", "Use 64 to 4096.")
        self.dimension = dimension
        self.model_id = f"hashing-for-tests-{dimension}"

    def _encode(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in analyze(text):
                slot, sign = _slot(term)
                vectors[row, slot % self.dimension] += sign
        return unit_rows(vectors)


@lru_cache(maxsize=65536)
def _slot(term: str) -> tuple[int, float]:
    # Python's own hash() differs from process to process.
    digest = hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest[:7], "big"), 1.0 if digest[7] & 1 else -1.0
