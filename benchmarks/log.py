"""The log as the baselines see it: read back from the graph, so that all systems share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from neo4j.time import DateTime as Neo4jDateTime
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from ..graph.keys import source_id_of
from ..graph.store import ForestStore
from .analysis import Analysis
from .errors import BenchmarkError
from .questions import MessageRef

GROUP_SIZE = 16
_PAGE = 2000
_REMEMBERED = 512

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """A live message of the log; `terms` are those of its author, its text and its files."""

    key: str
    ref: MessageRef
    audience: str
    at: datetime
    terms: tuple[str, ...]
    vector: NDArray[np.float32]


class Pool:
    """The messages that one scope may see, indexed as the baselines need it, when they do.

    Statistics of words are those of the pool: a baseline loses nothing by what it must not see.

    Args:
        messages: in order of channel and time.

    Attributes:
        bm25: from the terms of a question to Okapi BM25 of each message; 0 where it shares none.
    """

    def __init__(self, messages: Sequence[LoggedMessage]) -> None:
        self.messages = messages
        self.keys = [message.key for message in messages]
        # Three systems at three depths want the same scores, each of which walks all messages.
        self.bm25 = lru_cache(maxsize=_REMEMBERED)(self._bm25)

    def __len__(self) -> int:
        return len(self.messages)

    def _bm25(self, terms: tuple[str, ...]) -> Scores:
        return _okapi_scores(self._message_index, terms, len(self))

    def cosine(self, vector: NDArray[np.float32]) -> Scores:
        """Cosine of each message's vector to `vector`, both of unit length."""
        if not self.messages:
            return np.zeros(0)
        scores: Scores = (self._matrix @ vector).astype(np.float64)
        return scores

    def group_bm25(self, terms: Sequence[str]) -> Scores:
        """BM25 of each of `groups`, all messages of a group taken as one text."""
        return _okapi_scores(self._group_index, terms, len(self.groups))

    @cached_property
    def visible(self) -> frozenset[str]:
        """The keys of its messages."""
        return frozenset(self.keys)

    @cached_property
    def groups(self) -> list[list[int]]:
        """Positions of messages, `GROUP_SIZE` consecutive ones of a channel to a group."""
        groups: list[list[int]] = []
        channel: str | None = None
        for position, message in enumerate(self.messages):
            if message.ref[0] != channel or len(groups[-1]) == GROUP_SIZE:
                groups.append([])
            channel = message.ref[0]
            groups[-1].append(position)
        return groups

    @cached_property
    def _matrix(self) -> NDArray[np.float32]:
        return np.stack([message.vector for message in self.messages])

    @cached_property
    def _message_index(self) -> BM25Okapi | None:
        return _okapi([message.terms for message in self.messages])

    @cached_property
    def _group_index(self) -> BM25Okapi | None:
        terms = [message.terms for message in self.messages]
        return _okapi([[t for position in group for t in terms[position]] for group in self.groups])


class BenchLog:
    """All live messages of a workspace, and pools of them by audience."""

    def __init__(self, messages: Sequence[LoggedMessage]) -> None:
        self._messages = messages
        self._refs = {message.key: message.ref for message in messages}
        self._pools: dict[frozenset[str], Pool] = {}

    def __len__(self) -> int:
        return len(self._messages)

    @classmethod
    async def read(cls, store: ForestStore, workspace: str, analysis: Analysis) -> BenchLog:
        """Read the log of `workspace`; `analysis` gives the baselines their terms.

        Raises:
            BenchmarkError: it is empty, or messages have no vector yet.
        """
        messages: list[LoggedMessage] = []
        after = ""
        while True:
            params = {"prefix": f"{workspace}/m/", "after": after, "limit": _PAGE}
            rows = await store.read("bench/messages", params)
            messages += [_logged(row, analysis) for row in rows]
            if len(rows) < _PAGE:
                break
            after = rows[-1]["key"]
        if not messages:
            raise BenchmarkError(f"The workspace {workspace!r} holds no messages.")
        return cls(sorted(messages, key=lambda m: (m.ref[0], m.at, m.key)))

    def ref(self, key: str) -> MessageRef:
        """The name that the source gave the message with `key`."""
        return self._refs[key]

    def pool(self, audiences: Sequence[str]) -> Pool:
        """What those who belong to `audiences` may see."""
        wanted = frozenset(audiences)
        if wanted not in self._pools:
            self._pools[wanted] = Pool([m for m in self._messages if m.audience in wanted])
        return self._pools[wanted]


def _logged(row: dict[str, Any], analysis: Analysis) -> LoggedMessage:
    if row["vector"] is None:
        raise BenchmarkError(
            f"The message {row['key']!r} has no vector.", "Build the forests to their end first."
        )
    at = row["at"]
    text = "\n".join((row["text"], *(row["files"] or ())))
    return LoggedMessage(
        key=row["key"],
        ref=(source_id_of(row["channel"]), row["source_id"]),
        audience=row["audience"],
        at=at.to_native() if isinstance(at, Neo4jDateTime) else at,
        terms=(*analysis.document(row["author"] or ""), *analysis.document(text)),
        vector=np.asarray(row["vector"], dtype=np.float32),
    )


def _okapi(corpus: Sequence[Sequence[str]]) -> BM25Okapi | None:
    """An index; None where there is no word at all, which the library divides by."""
    return BM25Okapi(corpus) if any(corpus) else None


def _okapi_scores(index: BM25Okapi | None, terms: Sequence[str], count: int) -> Scores:
    if index is None or not terms:
        return np.zeros(count)
    return np.asarray(index.get_scores(list(terms)), dtype=np.float64)
