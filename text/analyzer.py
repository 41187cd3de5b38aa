"""The one analyzer: documents and questions go through it, and only its terms are ever compared.

What a word becomes depends on the word alone, so a question meets its document whatever stands
around it. That is also what makes it fast: chat repeats itself, and each piece between two
white spaces is analysed once and remembered.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache
from urllib.parse import unquote

import regex

from .cleaning import normalised
from .scripts import UNSPACED, unspaced_terms
from .stemming import stem, without_accents
from .stopwords import STOP_WORDS

MAX_TERM_CHARACTERS = 64
"""No term is longer; a longer word becomes its beginning and a hash of the whole."""

# "PR #482", "PR# 32" and "pull request 482" name the same thing: all become "… #482".
_REFERENCE = re.compile(
    r"\b((?:PR|MR|[Pp]r|[Mm]r|[Pp]ull [Rr]equest|[Mm]erge [Rr]equest|[Ii]ssue|[Tt]icket)s?) {0,2}"
    r"(?:#|[Nn]o\.|[Nn]umber)? ?(\d{1,9})\b(?![.\-/:]\d)"
)
_DIGIT = re.compile(r"[0-9]")

_W = rf"[^\W{UNSPACED}]"  # what words are made of, in scripts that put spaces between them
_CHUNK = regex.compile(
    rf"""
      (?P<url>(?i:https?://|www\.)[^\s<>"'`|\\^{{}}]++)
    | (?P<emoji>(?<![\w:]):(?:[a-z][a-z0-9_+-]{{0,60}}|[+-]1)(?=:(?!\w)))
    | (?P<language>(?<!\w)(?:[Cc]\+\+|[CcFf]\#)(?!\w))
    | (?P<number>(?<![\w&])\#\d{{1,9}}\b)
    | (?P<grouped>(?<![\w.,])\d{{1,3}}(?:,\d{{3}})++(?![\w,]))
    | (?P<word>(?:{_W})++(?:[-_./'’&@:+~](?:{_W})++)*+)
    | (?P<unspaced>[{UNSPACED}]++)
    """,
    regex.VERBOSE | regex.VERSION1,
)
_JOINERS = regex.compile(r"[-_./&@:+~]++")
_CAMEL = regex.compile(
    r"(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}\p{L})(?=\d)|(?<=\d)(?=\p{L}\p{L})"
)
_PLURAL_OF_CAPITALS = regex.compile(r"\p{Lu}{2,}s")
_VERSION = re.compile(r"v\d+(?:\.\d+)+")
_OPAQUE = re.compile(r"(?=\w*\d)(?=\w*[a-z])[0-9a-z]{6,}$")
_PULL = re.compile(r"/(?:pull|pulls|pull-requests|pullrequest|merge_requests|issues)/(\d{1,9})\b")
_ELIDED = frozenset({"l", "d", "j", "qu", "c", "n", "s", "m", "t", "dell", "all", "un", "nell"})
_CLITIC = frozenset({"s", "t", "re", "ve", "ll", "d", "m"})
_LONGEST_REMEMBERED = 200


class _Mode(IntEnum):
    DOCUMENT = 0
    QUESTION = 1  # Han characters singly only where they stand alone: pairs are more precise
    EVERYTHING = 2  # stop words and emoji names too


def analyze(text: str) -> list[str]:
    """The terms of a text in order, with repeats: lower-cased, stemmed, stop words removed.

    No term holds white space or is longer than `MAX_TERM_CHARACTERS`. Any string is accepted.

    - Identifiers, file names and compounds stay whole and are followed by their parts: `OPS-214`
      gives `ops-214`, `ops`, `214`; `PlanForce` gives `planforc`, `plan`, `forc`.
    - References to pull requests and issues become `#482`, in words and in links alike.
    - A link gives its host and the words of its path, not its query.
    - A stop word written in capitals (IT, US, WHO) is a name and stays.
    - Chinese, Japanese, Korean, Thai and the like give pairs of characters (`scripts`).
    - Emoji and their `:names:` are dropped.
    """
    return _terms(text, _Mode.DOCUMENT)


def analyze_query(text: str) -> list[str]:
    """The different terms of a question, in order; they are a subset of what `analyze` would give.

    If the question consists of stop words only, they are its terms: no words find nothing.
    """
    return list(
        dict.fromkeys(_terms(text, _Mode.QUESTION)) or dict.fromkeys(_terms(text, _Mode.EVERYTHING))
    )


def split_name(name: str) -> list[str]:
    """The different terms of a channel's, document's or product's name, in order.

    It is cut at every change of case, between letters and digits, and at every mark:
    `planning-roadMapX` gives `plan`, `road`, `map`, `x`. Stop words go unless nothing else is left.
    """
    for mode in (_Mode.QUESTION, _Mode.EVERYTHING):
        terms = list(dict.fromkeys(_name_terms(name, stop=mode is not _Mode.EVERYTHING)))
        if terms:
            return terms
    return []


def _name_terms(name: str, *, stop: bool) -> Iterator[str]:
    for match in _CHUNK.finditer(normalised(name).replace("#", " ")):
        if match.lastgroup == "unspaced":
            yield from unspaced_terms(match.group(), singles=False)
            continue
        for piece in _JOINERS.split(match.group()):
            for part in _CAMEL.split(piece):
                if part:
                    yield from _word_terms(part, stop=stop, whole=False)


def _terms(text: str, mode: _Mode) -> list[str]:
    text = normalised(text)
    if _DIGIT.search(text):
        text = _REFERENCE.sub(r"\1 #\2", text)
    terms: list[str] = []
    for piece in text.split():
        if len(piece) <= _LONGEST_REMEMBERED:
            terms += _remembered(piece, mode)
        else:
            terms += _piece_terms(piece, mode)
    return terms


@lru_cache(maxsize=1 << 17)
def _remembered(piece: str, mode: _Mode) -> tuple[str, ...]:
    return tuple(_piece_terms(piece, mode))


def _piece_terms(piece: str, mode: _Mode) -> Iterator[str]:
    stop = mode is not _Mode.EVERYTHING
    for match in _CHUNK.finditer(piece):
        chunk, kind = match.group(), match.lastgroup
        if kind == "word":
            yield from _compound_terms(chunk, stop=stop)
        elif kind == "unspaced":
            terms = unspaced_terms(chunk, singles=mode is _Mode.DOCUMENT)
            yield from terms if terms or stop else [_bounded(chunk)]
        elif kind == "grouped":
            yield chunk.replace(",", "")
        elif kind == "url":
            yield from _url_terms(chunk, stop=stop)
        elif kind in ("number", "language"):
            yield chunk.casefold()
        elif not stop:
            yield _bounded(chunk.strip(":").casefold())


def _compound_terms(chunk: str, *, stop: bool) -> Iterator[str]:
    chunk = _without_clitics(chunk)
    parts = [part for part in _JOINERS.split(chunk) if part]
    if len(parts) == 1:
        yield from _word_terms(parts[0], stop=stop)
        return
    terms = [term for part in parts for term in _word_terms(part, stop=stop)]
    if terms:
        whole = without_accents(chunk.casefold())
        if len(whole) <= MAX_TERM_CHARACTERS:
            yield whole
            if _VERSION.fullmatch(whole):
                yield whole[1:]
                return
        # 2.4.0, 2026-06-03, 12:30: a number in pieces says nothing.
        if not all(part.isdigit() for part in parts):
            yield from terms


def _without_clitics(chunk: str) -> str:
    """`chunk` without the 's of English and the l' of Romance languages.

    Any other apostrophe closes up: `O'Brien` gives `obrien`.
    """
    if "'" not in chunk and "’" not in chunk:
        return chunk
    pieces = chunk.replace("’", "'").split("'")
    if pieces[-1].casefold() in _CLITIC:
        whole = "".join(pieces).casefold()
        if whole in STOP_WORDS:
            return whole
        pieces.pop()
    if len(pieces) > 1 and pieces[0].casefold() in _ELIDED:
        pieces.pop(0)
    return pieces[0] + "".join(pieces[1:]).casefold()


def _word_terms(word: str, *, stop: bool, whole: bool = True) -> Iterator[str]:
    """Terms of one word without marks; a word in camel case is followed by its parts."""
    if _PLURAL_OF_CAPITALS.fullmatch(word):
        yield _bounded(word[:-1].casefold())
        return
    folded = word.casefold()
    if stop and folded in STOP_WORDS and not (len(word) > 1 and word.isupper()):
        return
    if folded.isdigit() or _OPAQUE.match(folded):
        yield _bounded(folded)
        return
    if whole and not word.islower():
        parts = [part for part in _CAMEL.split(word) if part]
        if len(parts) > 1:
            yield _bounded(stem(folded))
            for part in parts:
                yield from _word_terms(part, stop=stop, whole=False)
            return
    yield _bounded(stem(folded))


def _url_terms(url: str, *, stop: bool) -> Iterator[str]:
    address = regex.sub(r"^(?i:https?://)?(?i:www\.)?", "", url)
    host, slash, path = address.partition("/")
    yield from _compound_terms(host.partition("?")[0], stop=stop)
    if not slash:
        return
    path = normalised(unquote(path.partition("?")[0].partition("#")[0]))
    number = _PULL.search("/" + path)
    if number:
        yield "#" + number.group(1)
        path = path[: max(number.start() - 1, 0)]
    for segment in regex.split(r"[/\s]+", path)[:12]:
        for match in _CHUNK.finditer(segment):
            if match.lastgroup == "word":
                yield from _compound_terms(match.group(), stop=stop)
            elif match.lastgroup == "unspaced":
                yield from unspaced_terms(match.group())


def _bounded(term: str) -> str:
    if len(term) <= MAX_TERM_CHARACTERS:
        return term
    digest = hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{term[:40]}~{digest}"
