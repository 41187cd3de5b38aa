"""Encoders from sentence-transformers: a local path or a model id."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from ..cleaning import without_surrogates
from ..errors import TextError
from .base import BatchEncoder, Lazy, Vectors, unit_rows

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

RETRIEVAL_TASK = (
    "Given a question about a company's group chat, retrieve the messages that answer it"
)


class SentenceTransformersEncoder(BatchEncoder):
    """Any model that sentence-transformers can load.

    Args:
        model: path or id of the model.
        dimension: truncate to this width and scale to unit length again (Matryoshka models, such
            as Qwen3-Embedding: 32 to 1024). None keeps the model's own width.
        task: for models that are told their task in the question (Qwen3-Embedding, E5-instruct)
            the question becomes `Instruct: {task}\\nQuery:{text}`. None: on for models whose
            name says Qwen3-Embedding, off for all others. An empty text turns it off.
        document_prompt, query_prompt: put before each text as they are; `query_prompt` wins over
            `task`.
        batch_size: texts in one forward pass.
        device: as in torch; None lets the library choose.
        trust_remote_code: run code that comes with the model. Off by default, as it should be.
    """

    def __init__(
        self,
        model: str,
        *,
        dimension: int | None = None,
        task: str | None = None,
        document_prompt: str = "",
        query_prompt: str | None = None,
        batch_size: int = 32,
        device: str | None = None,
        trust_remote_code: bool = False,
    ) -> None:
        self._name = model
        self._width = dimension
        self._batch_size = batch_size
        self._device = device
        self._trust_remote_code = trust_remote_code
        self._one_at_a_time = threading.Lock()
        self._model = Lazy(self._load)
        self.document_prompt = document_prompt
        self.query_prompt = _query_prompt(model, task) if query_prompt is None else query_prompt
        self.model_id = f"sentence-transformers/{_last_part(model)}"

    @property
    def dimension(self) -> int:
        """The width of a vector; reads the model if no width was given."""
        if self._width is None:
            model: Any = self._model.get()
            # Renamed in release 5; the former name warns there.
            ask = getattr(model, "get_embedding_dimension", None)
            width = ask() if ask else model.get_sentence_embedding_dimension()
            if width is None:
                raise TextError(
                    f"The model {self._name!r} does not say how wide its vectors are.",
                    "Give the encoder a dimension.",
                )
            self._width = width
        return self._width

    def _encode(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        model = self._model.get()
        with (
            self._one_at_a_time
        ):  # a forward pass shares buffers in some models, and the cores anyway
            raw: Any = model.encode(
                [without_surrogates(text) for text in texts],
                batch_size=self._batch_size,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        vectors = np.asarray(raw, dtype=np.float32)
        width = self.dimension
        if vectors.shape[1] < width:
            raise TextError(
                f"The model {self._name!r} is {vectors.shape[1]} wide, {width} were asked for.",
                f"Use a dimension of at most {vectors.shape[1]}.",
            )
        return unit_rows(vectors[:, :width])

    def _load(self) -> SentenceTransformer:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise TextError(
                f"The encoder 'sentence-transformers:{self._name}' needs sentence-transformers.",
                "Install it with: pip install 'egcforest[sentence-transformers]'",
            ) from error
        try:
            return SentenceTransformer(
                self._name, device=self._device, trust_remote_code=self._trust_remote_code
            )
        except (OSError, ValueError) as error:
            raise TextError(
                f"sentence-transformers cannot load the model {self._name!r}: {error}",
                "Check the path or the id, and that the model has been downloaded.",
            ) from error


def _query_prompt(model: str, task: str | None) -> str:
    if task is None:
        task = RETRIEVAL_TASK if "qwen3-embedding" in model.casefold() else ""
    return f"Instruct: {task}\nQuery:" if task else ""


def _last_part(model: str) -> str:
    # A path is nobody's business but this machine's; the model's own name is enough to compare.
    parts = model.replace("\\", "/").rstrip("/").split("/")
    return "/".join(parts[-2:]) if len(parts) == 2 else parts[-1]
