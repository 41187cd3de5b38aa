"""Documents by their hash: what a client has sent before, and what the operator allows."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import ApiError, ErrorCode, SettingsError

_REMEMBERED = 1000
_REMEMBERED_CHARACTERS = 8 * 1024 * 1024
_VERSION = 1


def hash_of(text: str) -> str:
    """SHA-256 of a document's text, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


class PersistedDocuments:
    """Automatic persisted queries, as Apollo's clients speak of them.

    Args:
        trusted: the documents that alone may be run, by hash; None allows all.
    """

    def __init__(self, trusted: Mapping[str, str] | None = None) -> None:
        self._trusted = trusted
        self._known: OrderedDict[str, str] = OrderedDict()
        self._characters = 0

    def text(self, query: str | None, extensions: Mapping[str, Any] | None) -> str:
        """The document that a request means.

        Args:
            query: its text, if the request has it.
            extensions: `persistedQuery.sha256Hash` in it names one.

        Raises:
            ApiError: PERSISTED_QUERY_NOT_FOUND, whereupon a client sends the text as well;
                FORBIDDEN if it is none of those that may be run; BAD_INPUT.
        """
        named = _hash_in(extensions)
        if query is not None:
            actual = hash_of(query)
            if named is not None and named != actual:
                raise ApiError("The hash is not that of the document.", "Send its SHA-256.")
            named = actual
        elif named is None:
            raise ApiError("There is no document in the request.", "Send it as `query`.")
        if self._trusted is not None:
            if named not in self._trusted:
                raise ApiError(
                    "This document is not among those that may be run here.",
                    "Ask the operator to add it.",
                    code=ErrorCode.FORBIDDEN,
                )
            return self._trusted[named]
        if query is not None:
            return query
        if named not in self._known:
            # A client of Apollo knows this sentence.
            raise ApiError(
                "PersistedQueryNotFound",
                "Send the text with the hash.",
                code=ErrorCode.PERSISTED_QUERY_NOT_FOUND,
            )
        self._known.move_to_end(named)
        return self._known[named]

    def remember(self, text: str, extensions: Mapping[str, Any] | None) -> None:
        """Keep a document that was found good, if the request wants it to be kept."""
        named = _hash_in(extensions)
        if named is None or self._trusted is not None or named in self._known:
            return
        self._known[named] = text
        self._characters += len(text)
        while len(self._known) > _REMEMBERED or self._characters > _REMEMBERED_CHARACTERS:
            _, forgotten = self._known.popitem(last=False)
            self._characters -= len(forgotten)


def load_trusted(path: Path) -> dict[str, str]:
    """The documents of a file or a folder, by hash.

    Args:
        path: a folder of `.graphql` files, one such file, or a JSON object whose values are
            documents, as the tools of Apollo and Relay write it.

    Raises:
        SettingsError: it cannot be read, or holds no document.
    """
    try:
        texts = _texts(path)
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The trusted documents in {path} cannot be read: {error}.",
            "Name a folder of .graphql files, one such file, or a JSON object of documents.",
        ) from error
    if not texts:
        raise SettingsError(
            f"There is no document in {path}: nothing could be asked.",
            "Put the documents there, or leave serve_trusted_documents empty.",
        )
    return {hash_of(text): text for text in texts}


def _texts(path: Path) -> list[str]:
    if path.is_dir():
        return [file.read_text("utf-8") for file in sorted(path.rglob("*.graphql"))]
    if path.suffix != ".json":
        return [path.read_text("utf-8")]
    content = json.loads(path.read_text("utf-8"))
    if not isinstance(content, dict) or not all(isinstance(v, str) for v in content.values()):
        raise ValueError("it is no JSON object of strings")
    return list(content.values())


def _hash_in(extensions: Mapping[str, Any] | None) -> str | None:
    given = (extensions or {}).get("persistedQuery")
    if given is None:
        return None
    named = given.get("sha256Hash") if isinstance(given, dict) else None
    if not isinstance(named, str) or given.get("version") != _VERSION:
        raise ApiError(
            "`extensions.persistedQuery` is malformed.",
            'Send {"version": 1, "sha256Hash": "..."}.',
        )
    return named.lower()
