"""A static encoder: the mean of token vectors that ship with `wordllama`. Fast, English first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..cleaning import without_surrogates
from ..errors import TextError
from ..tokens import bundled_tokenizer, wordllama_folder
from .base import BatchEncoder, Lazy, Vectors, unit_rows

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class WordLlamaEncoder(BatchEncoder):
    """The model `l2_supercat` of wordllama, 256 wide, read from the installed package's files.

    Reading the files directly keeps its import from configuring the root logger, and rules out
    that it ever downloads.

    Args:
        dimension: 256, or 128 or 64 for its truncated (Matryoshka) form.
        max_characters: only so much of a text is read.
    """

    def __init__(self, dimension: int = 256, max_characters: int = 8000) -> None:
        if dimension not in (64, 128, 256):
            raise TextError(f"wordllama has no width of {dimension}.", "Use 64, 128 or 256.")
        self.dimension = dimension
        self.model_id = f"wordllama/l2_supercat-{dimension}"
        self._max_characters = max_characters
        self._model = Lazy(self._load)

    def _encode(self, texts: list[str]) -> Vectors:
        tokenizer, table = self._model.get()
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            readable = [
                without_surrogates(text[: self._max_characters])
                for text in texts[start : start + _TEXTS_AT_ONCE]
            ]
            encodings = tokenizer.encode_batch_fast(readable, add_special_tokens=False)
            for row, encoding in enumerate(encodings, start):
                if encoding.ids:
                    vectors[row] = table[encoding.ids].mean(axis=0)
        return unit_rows(vectors)

    def _load(self) -> tuple[Tokenizer, Vectors]:
        return bundled_tokenizer(), _table(self.dimension)


_TEXTS_AT_ONCE = 1024
"""Bounds the memory that the token lists of a long call take."""


def _table(dimension: int) -> Vectors:
    from safetensors import safe_open

    path = wordllama_folder() / "weights" / "l2_supercat_256.safetensors"
    if not path.is_file():
        raise TextError(
            f"The weights {path.name} are missing from the installed wordllama package.",
            "Install a version that carries them: pip install 'wordllama>=0.4,<0.5'",
        )
    with safe_open(str(path), framework="np") as file:
        table = file.get_tensor("embedding.weight")
    return np.ascontiguousarray(table[:, :dimension], dtype=np.float32)
