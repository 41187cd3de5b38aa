"""Settings of the language model that answers: `EGCFOREST_ANSWER_...` in the environment."""

from __future__ import annotations

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings


class AnswerSettings(BaseSettings):
    """The settings of the model that answers; they stand beside the others in `Settings`."""

    answer_model: str = Field(
        default="",
        description="Language model that composes answers in the service; empty: none does.",
    )
    answer_url: str = Field(
        default="",
        description="Its OpenAI-compatible endpoint, up to and with /v1; empty: OpenAI's own.",
    )
    answer_key: SecretStr | None = Field(default=None, description="Key of that endpoint.")
    answer_timeout_s: float = Field(
        default=25.0, gt=0, le=600, description="Seconds that one request to it may take."
    )
    answer_tokens: int = Field(
        default=800, ge=16, le=32_000, description="Tokens in one answer, at most."
    )
