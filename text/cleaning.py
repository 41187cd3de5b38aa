"""Steps that make any string safe to analyse, before its meaning is looked at."""

from __future__ import annotations

import re
import unicodedata

_SURROGATES = re.compile("[\ud800-\udfff]")

# What is invisible must not split a word or keep two equal words apart: soft hyphen, joiners,
# direction marks, byte order mark. The zero-width space does separate words (Thai, Khmer).
_INVISIBLE: dict[int, str | None] = dict.fromkeys(
    [
        *(0x00AD, 0x034F, 0x061C, 0xFEFF),
        *range(0x200C, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
    ]
)
_INVISIBLE[0x200B] = " "
_ANY_INVISIBLE = re.compile(f"[{''.join(map(chr, _INVISIBLE))}]")


def without_surrogates(text: str) -> str:
    """`text` with each lone surrogate replaced by U+FFFD, so that it can be written as UTF-8."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def normalised(text: str) -> str:
    """`text` in NFKC without invisible characters; case is kept."""
    if text.isascii():
        return text
    if _ANY_INVISIBLE.search(text):  # far quicker than to translate every text
        text = text.translate(_INVISIBLE)
    return unicodedata.normalize("NFKC", text)
