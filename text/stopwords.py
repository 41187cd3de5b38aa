"""Words that carry no topic, in the languages company chats are held in.

The list is closed: all languages are taken out of every text, because a word must give the same
term whatever surrounds it.
"""

from __future__ import annotations

import unicodedata
from importlib import resources


def _read() -> frozenset[str]:
    text = resources.files(__package__).joinpath("data/stopwords.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    words = {unicodedata.normalize("NFKC", word).casefold() for word in " ".join(lines).split()}
    return frozenset(words | {word.replace("'", "") for word in words})


STOP_WORDS = _read()
"""Case-folded, in NFKC; words with an apostrophe also without it."""
