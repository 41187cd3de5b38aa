"""Vectors kept between runs: a study that builds a forest anew encodes only what is new."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..text.encoders import Encoder

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (digest BLOB PRIMARY KEY, v BLOB)"
_LOOKED_UP_AT_ONCE = 500


class CachedEncoder:
    """An encoder whose document vectors are kept in a file; questions are encoded every time.

    Args:
        encoder: who encodes what is not there yet.
        path: an SQLite file, made if it is missing; it serves any number of encoders.

    Attributes:
        model_id, dimension, document_prompt, query_prompt: those of the encoder.
        encoded: how many documents were encoded; `recalled`: how many came from the file.
    """

    def __init__(self, encoder: Encoder, path: Path) -> None:
        self._encoder = encoder
        self.model_id, self.dimension = encoder.model_id, encoder.dimension
        self.document_prompt, self.query_prompt = encoder.document_prompt, encoder.query_prompt
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False)
        self._database.execute(_TABLE)
        self.encoded = self.recalled = 0

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """The encoder's own vector of a question."""
        return self._encoder.encode_query(text)

    def encode_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of `texts`, those that are known from the file."""
        digests = [self._digest(text) for text in texts]
        with self._lock:
            known = self._known(digests)
        missing = {d: text for d, text in zip(digests, texts, strict=True) if d not in known}
        if missing:
            vectors = self._encoder.encode_documents(list(missing.values()))
            new = dict(zip(missing, vectors, strict=True))
            with self._lock, self._database:
                self._database.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                    [(d, np.asarray(v, dtype=np.float32).tobytes()) for d, v in new.items()],
                )
            known |= new
        self.encoded += len(missing)
        self.recalled += len(texts) - len(missing)
        if not digests:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([known[digest] for digest in digests])

    def _digest(self, text: str) -> bytes:
        identity = (self.model_id, str(self.dimension), self.document_prompt, text)
        joined = "\0".join(identity).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(joined, digest_size=16).digest()

    def _known(self, digests: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        found: dict[bytes, NDArray[np.float32]] = {}
        for start in range(0, len(digests), _LOOKED_UP_AT_ONCE):
            some = digests[start : start + _LOOKED_UP_AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"SELECT digest, v FROM vectors WHERE digest IN ({marks})"  # noqa: S608
            for digest, blob in self._database.execute(query, some):
                found[digest] = np.frombuffer(blob, dtype=np.float32)
        return found
