"""Encoders behind any OpenAI-compatible `/embeddings` endpoint."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..cleaning import without_surrogates
from ..errors import TextError
from .base import BatchEncoder, Lazy, Vectors, unit_rows

if TYPE_CHECKING:
    from openai import OpenAI


class OpenAIEncoder(BatchEncoder):
    """A model served by OpenAI or by anything that speaks its protocol (vLLM, Ollama, LiteLLM).

    Args:
        model: the name the endpoint knows.
        base_url: the endpoint up to and with `/v1`; None for OpenAI itself.
        api_key: None reads OPENAI_API_KEY; endpoints without a key get a placeholder.
        dimension: the width. With None it is probed by one call at the first use.
        shorten: also ask the endpoint for that width (models that can shorten their vectors).
        document_prompt, query_prompt: put before each text.
        batch_size: texts in one request.
        max_characters: only so much of a text is sent.
        timeout_s: for one request; the client itself retries twice.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimension: int | None = None,
        shorten: bool = False,
        document_prompt: str = "",
        query_prompt: str = "",
        batch_size: int = 128,
        max_characters: int = 20_000,
        timeout_s: float = 60.0,
    ) -> None:
        if shorten and dimension is None:
            raise TextError("shorten is set without a dimension.", "Give the width to shorten to.")
        self._name = model
        self._base_url = base_url
        self._api_key = api_key
        self._width = dimension
        self._shorten = shorten
        self._batch_size = batch_size
        self._max_characters = max_characters
        self._timeout_s = timeout_s
        self._client = Lazy(self._connect)
        self.document_prompt = document_prompt
        self.query_prompt = query_prompt
        self.model_id = f"openai/{model}"

    @property
    def dimension(self) -> int:
        """The width of a vector; asks the endpoint once if no width was given."""
        if self._width is None:
            self._width = self._request(["width"]).shape[1]
        return self._width

    def _encode(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        # Endpoints refuse an empty text; it keeps its row of zeros, which unit_rows makes finite.
        filled = [row for row, text in enumerate(texts) if text.strip()]
        for start in range(0, len(filled), self._batch_size):
            rows = filled[start : start + self._batch_size]
            answer = self._request([texts[row] for row in rows])
            if answer.shape != (len(rows), self.dimension):
                raise TextError(
                    f"The endpoint answered {answer.shape} for {len(rows)} texts to "
                    f"{self.model_id!r}, {self.dimension} wide was expected.",
                    "Set the encoder's dimension to the model's, or rebuild the index.",
                )
            vectors[rows] = answer
        return unit_rows(vectors)

    def _request(self, texts: list[str]) -> Vectors:
        client = self._client.get()
        from openai import OpenAIError  # after the check that it is there

        readable = [without_surrogates(text[: self._max_characters]) for text in texts]
        create = partial(
            client.embeddings.create, model=self._name, input=readable, encoding_format="float"
        )
        try:
            # Many endpoints refuse `dimensions` even where it changes nothing.
            if self._shorten and self._width is not None:
                answer = create(dimensions=self._width)
            else:
                answer = create()
        except OpenAIError as error:
            raise TextError(
                f"The embeddings endpoint for {self.model_id!r} failed: {type(error).__name__}.",
                "Check base_url, the key and the model's name.",
            ) from error
        items = sorted(answer.data, key=lambda item: item.index)
        return np.asarray([item.embedding for item in items], dtype=np.float32)

    def _connect(self) -> OpenAI:
        try:
            from openai import OpenAI, OpenAIError
        except ImportError as error:
            raise TextError(
                f"The encoder 'openai:{self._name}' needs the package openai.",
                "Install it with: pip install 'egcforest[openai]'",
            ) from error
        key = self._api_key
        if key is None and self._base_url is not None:
            import os

            key = os.environ.get("OPENAI_API_KEY", "none")
        try:
            return OpenAI(base_url=self._base_url, api_key=key, timeout=self._timeout_s)
        except OpenAIError as error:
            raise TextError(
                f"The encoder 'openai:{self._name}' has no key.", "Set OPENAI_API_KEY."
            ) from error
