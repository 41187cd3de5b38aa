"""Scripts that put no spaces between words: their terms are overlapping pairs of characters.

A dictionary would cut better, but its mistakes make a word unfindable; pairs never do. The method
is that of Lucene's CJK analyzer, with two changes: a run ends where Japanese changes from one
script to the other, and Han characters also count singly in a document, so that a question of one
finds them.
"""

from __future__ import annotations

from itertools import pairwise

import regex

from .stopwords import STOP_WORDS

HAN = (
    r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f\U00030000-\U000323af"
)
KANA = r"\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HANGUL = r"\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
# Thai, Lao, Tibetan, Myanmar, Khmer, Tai Le and Tai Lue, Tai Tham, Javanese, Tai Viet
CLUSTERED = (
    r"\u0e00-\u0e7f\u0e80-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf"
    r"\ua980-\ua9df\ua9e0-\ua9ff\uaa60-\uaadf"
)
UNSPACED = HAN + KANA + HANGUL + CLUSTERED
"""Everything above, as the inside of a character class."""

_RUN = regex.compile(
    rf"(?P<han>[{HAN}]++)|(?P<katakana>[\u30a0-\u30ff\u31f0-\u31ff]++)|(?P<hiragana>[\u3040-\u309f]++)"
    rf"|(?P<hangul>[{HANGUL}]++)|(?P<clustered>[{CLUSTERED}]++)"
)
_PUNCTUATION = regex.compile(r"[\p{P}\p{S}]+")


def unspaced_terms(text: str, *, singles: bool = True) -> list[str]:
    """Terms of a text in these scripts, in order, stop words removed where a run is one.

    Args:
        text: only characters of `UNSPACED` count.
        singles: also each Han character alone, as documents need it; a run of one always counts.
    """
    return [
        term
        for piece in _PUNCTUATION.split(text)
        for run in _RUN.finditer(piece)
        for term in _run_terms(run.lastgroup or "", run.group(), singles)
    ]


def _run_terms(kind: str, run: str, singles: bool) -> list[str]:
    if run in STOP_WORDS:
        return []
    units: list[str] = regex.findall(r"\X", run) if kind == "clustered" else list(run)
    if len(units) == 1:
        # One hiragana letter between other scripts is a particle, never a word.
        return [] if kind == "hiragana" else units
    pairs = [first + second for first, second in pairwise(units)]
    if kind == "han" and singles:
        return pairs + [unit for unit in units if unit not in STOP_WORDS]
    return [pair for pair in pairs if pair not in STOP_WORDS] if kind == "hiragana" else pairs
