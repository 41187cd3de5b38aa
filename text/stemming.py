"""From a word to its stem. What a word becomes depends on nothing but the word itself."""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache

import Stemmer

# Letters that NFD does not take apart.
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
_UMLAUTS = re.compile("[äöü]")
# German nouns whose plural in -en an English stemmer leaves alone; no English word ends so.
_GERMAN_PLURAL = re.compile(r"(?<=[a-z]{3})(ung|heit|keit|schaft|ion|taet|tat)en$")

_BY_SCRIPT = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0530", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0750", "\u077f", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)

# Snowball's objects keep state while they stem: one for each thread.
_of_thread = threading.local()


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of one case-folded word in NFKC; never empty unless `word` is.

    Latin words lose their accents and go through Snowball's English stemmer, which also takes
    the plurals of Romance languages off. Words with an umlaut go through the German one first, so
    that `Verträge` meets `Vertrag`. Greek, Cyrillic, Armenian, Arabic, Devanagari and Tamil have
    their own. The letter decides, not the language of the text: a question of three words has
    none that could be told reliably, and its terms must be those of the document.
    """
    first = word[:1]
    if first < "\u0250" or "\u1e00" <= first <= "\u1eff":
        return _latin(word)
    for low, high, language in _BY_SCRIPT:
        if low <= first <= high:
            return _snowball(language, word.replace("ё", "е")) or word
    return word


def without_accents(word: str) -> str:
    """`word` (Latin, case-folded) in plain letters: `são` as `sao`."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFD", word.translate(_LETTERS))
    return "".join(letter for letter in apart if not unicodedata.combining(letter)) or word


def _latin(word: str) -> str:
    if _UMLAUTS.search(word):
        word = _snowball("german", word) or word
    word = _GERMAN_PLURAL.sub(r"\1", without_accents(word))
    return _snowball("english", word) or word


def _snowball(language: str, word: str) -> str:
    stemmers: dict[str, Stemmer.Stemmer] | None = getattr(_of_thread, "stemmers", None)
    if stemmers is None:
        stemmers = _of_thread.stemmers = {}
    stemmer = stemmers.get(language)
    if stemmer is None:
        stemmer = stemmers[language] = Stemmer.Stemmer(language, 0)  # 0: our cache does it
    stemmed: str = stemmer.stemWord(word)
    return stemmed
