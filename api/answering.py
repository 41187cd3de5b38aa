"""The language model that answers, if the settings name one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..retrieval.answer import Answer
from ..retrieval.compose import Composed, compose
from ..text.chat_model import ChatModel
from ..text.errors import TextError
from .answer_settings import AnswerSettings
from .errors import ApiError, ErrorCode


class Composer:
    """Composes answers from evidence, or says how to set up a model that does.

    Args:
        model: the model; None if none is configured.
    """

    def __init__(self, model: ChatModel | None) -> None:
        self._model = model

    def require_configured(self) -> ChatModel:
        """The model.

        Raises:
            ApiError: none is configured.
        """
        if self._model is None:
            raise ApiError(
                "No language model is configured, so nothing can compose an answer.",
                "Ask for `evidence` instead. The operator can name a model with "
                "EGCFOREST_ANSWER_MODEL, its OpenAI-compatible endpoint with EGCFOREST_ANSWER_URL "
                "and its key with EGCFOREST_ANSWER_KEY; it needs: pip install 'egcforest[openai]'.",
                code=ErrorCode.NOT_CONFIGURED,
            )
        return self._model

    async def compose(self, found: Answer) -> Composed:
        """An answer from `found`, its citations checked.

        Raises:
            ApiError: no model is configured, or it does not answer.
        """
        model = self.require_configured()
        try:
            return await compose(found, model)
        except TextError as error:
            raise ApiError(
                "The language model does not answer.",
                "Ask for `evidence` instead, or try again later.",
                code=ErrorCode.UNAVAILABLE,
            ) from error


@asynccontextmanager
async def open_composer(settings: AnswerSettings) -> AsyncIterator[Composer]:
    """What composes answers, for as long as the context lasts.

    Raises:
        TextError: a model is named, but the package openai is missing, or a key.
    """
    if not settings.answer_model:
        yield Composer(None)
        return
    key = settings.answer_key
    model = ChatModel(
        settings.answer_model,
        base_url=settings.answer_url or None,
        api_key=None if key is None else key.get_secret_value(),
        timeout_s=settings.answer_timeout_s,
        max_tokens=settings.answer_tokens,
    )
    try:
        yield Composer(model)
    finally:
        await model.close()
