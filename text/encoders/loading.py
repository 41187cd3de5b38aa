"""From the name in a configuration to an encoder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import TextError
from .base import Encoder
from .hashing import HashingEncoder
from .openai import OpenAIEncoder
from .sentence_transformers import SentenceTransformersEncoder
from .usem3 import UseM3Encoder
from .wordllama import WordLlamaEncoder

_BUNDLED: dict[str, Callable[..., Encoder]] = {
    "usem3": UseM3Encoder,
    "wordllama": WordLlamaEncoder,
    "hashing": HashingEncoder,
}
_WITH_MODEL: dict[str, Callable[..., Encoder]] = {
    "sentence-transformers": SentenceTransformersEncoder,
    "openai": OpenAIEncoder,
}


def load_encoder(name: str = "usem3", **options: Any) -> Encoder:
    """The encoder that `name` stands for. The model itself is read at the first use.

    Args:
        name: `usem3` (multilingual, 512 wide, the default), `wordllama` (static and fast, 256
            wide), `hashing` (deterministic, for unit tests only), `sentence-transformers:MODEL`
            with a path or a model id, or `openai:MODEL` for any OpenAI-compatible endpoint.
        options: the keyword arguments of that encoder's class.

    Raises:
        TextError: the name is unknown, an option does not fit, or a package is missing.
    """
    family, _, model = name.partition(":")
    if family in _BUNDLED and not model:
        return _made(name, _BUNDLED[family], options)
    if family in _WITH_MODEL and model:
        return _made(name, _WITH_MODEL[family], {"model": model, **options})
    known = [*_BUNDLED, *(f"{prefix}:MODEL" for prefix in _WITH_MODEL)]
    raise TextError(f"There is no encoder named {name!r}.", f"Known are: {', '.join(known)}.")


def _made(name: str, make: Callable[..., Encoder], options: dict[str, Any]) -> Encoder:
    try:
        return make(**options)
    except TypeError as error:
        raise TextError(f"The encoder {name!r} does not take these options: {error}.") from error
