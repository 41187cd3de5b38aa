"""Which encoder the vectors in a graph come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..text.encoders.base import EncoderDescription


@dataclass(frozen=True, slots=True)
class EncoderIdentity:
    """Stored with the graph. Vectors are comparable only where all four agree."""

    model_id: str
    dimension: int
    document_prompt: str = ""
    query_prompt: str = ""

    def __post_init__(self) -> None:
        if not self.model_id or not 1 <= self.dimension <= 4096:
            raise ValueError("An encoder needs a model id and a dimension from 1 to 4096.")

    @classmethod
    def of(cls, encoder: EncoderDescription) -> EncoderIdentity:
        """The identity of `encoder`."""
        return cls(
            encoder.model_id, encoder.dimension, encoder.document_prompt, encoder.query_prompt
        )

    def __str__(self) -> str:
        return (
            f"{self.model_id!r} ({self.dimension} wide, document prompt "
            f"{self.document_prompt!r}, query prompt {self.query_prompt!r})"
        )
