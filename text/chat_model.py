"""A language model behind any OpenAI-compatible `/chat/completions` endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cleaning import without_surrogates
from .errors import TextError

if TYPE_CHECKING:
    from openai import AsyncOpenAI


class ChatModel:
    """A model served by OpenAI or by anything that speaks its protocol (vLLM, Ollama, LiteLLM).

    Make one for the life of the process, and close it. Nothing is sent before it is asked.

    Args:
        model: the name the endpoint knows.
        base_url: the endpoint up to and with `/v1`; None for OpenAI itself.
        api_key: None reads OPENAI_API_KEY; endpoints without a key get a placeholder.
        timeout_s: for one request; a failed one is tried once more.
        max_tokens: longest answer.

    Raises:
        TextError: the package openai is missing, or there is no key for OpenAI itself.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 25.0,
        max_tokens: int = 800,
    ) -> None:
        self.name = model
        self._max_tokens = max_tokens
        self._client = _client(model, base_url, api_key, timeout_s)

    async def complete(self, instructions: str, text: str) -> str:
        """What the model says to `text` under `instructions`; empty if it says nothing.

        Raises:
            TextError: the endpoint does not answer, or refuses.
        """
        from openai import OpenAIError

        try:
            answer = await self._client.chat.completions.create(
                model=self.name,
                messages=[
                    {"role": "system", "content": instructions},
                    {"role": "user", "content": without_surrogates(text)},
                ],
                max_tokens=self._max_tokens,
                temperature=0,
            )
        except OpenAIError as error:
            # Only its kind: the message may quote what was sent.
            raise TextError(
                f"The language model {self.name!r} failed: {type(error).__name__}.",
                "Try again; if it stays so, check the endpoint, the key and the model's name.",
            ) from error
        return (answer.choices[0].message.content or "") if answer.choices else ""

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _client(model: str, base_url: str | None, api_key: str | None, timeout_s: float) -> AsyncOpenAI:
    try:
        from openai import AsyncOpenAI, OpenAIError
    except ImportError as error:
        raise TextError(
            f"The language model {model!r} needs the package openai.",
            "Install it with: pip install 'egcforest[openai]'",
        ) from error
    if api_key is None and base_url is not None:
        import os

        api_key = os.environ.get("OPENAI_API_KEY", "none")
    try:
        return AsyncOpenAI(base_url=base_url, api_key=api_key, timeout=timeout_s, max_retries=1)
    except OpenAIError as error:
        raise TextError(f"The language model {model!r} has no key.", "Set one.") from error
